"""What a clock page's geometry has to keep, as a script that looks at one window and says what is wrong."""

# Looks at everything that is drawn, in each of the fonts given; returns one line for each thing that is wrong.
LOOK = r"""async ({ fonts }) => {
    const clock = document.querySelector('match-clock');
    const wrong = [];
    const shown = (element) => element && element.checkVisibility({ visibilityProperty: true });
    const name = (element) => (element.className && String(element.className)) || element.tagName.toLowerCase();

    /** Return what can be seen of a box: cut by whatever clips it; and whether it may be reached by scrolling. */
    function seen(box, from) {
        let { left, right, top, bottom } = box;
        let scrolls = false;
        for (let around = from; around && around !== document.documentElement; around = around.parentElement) {
            const { overflowX, overflowY, clipPath } = getComputedStyle(around);
            if (clipPath !== 'none') return null;
            if (overflowX === 'visible' && overflowY === 'visible') continue;
            const frame = around.getBoundingClientRect();
            if (overflowY === 'auto' || overflowY === 'scroll') scrolls = true;
            left = Math.max(left, frame.left);
            right = Math.min(right, frame.right);
            top = Math.max(top, frame.top);
            bottom = Math.min(bottom, frame.bottom);
        }
        left = Math.max(left, 0);
        top = Math.max(top, 0);
        right = Math.min(right, innerWidth);
        bottom = Math.min(bottom, innerHeight);
        return { left, right, top, bottom, scrolls };
    }

    /** Return every line of text that is drawn: its words, and the box of its letters without the room around them. */
    function lines() {
        const found = [];
        const walker = document.createTreeWalker(clock, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const node = walker.currentNode;
            const element = node.parentElement;
            if (!node.data.trim() || element.closest('.unseen') || !shown(element)) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            const size = parseFloat(getComputedStyle(element).fontSize);
            for (const box of range.getClientRects()) {
                if (box.width < 1) continue;
                const across = box.width >= box.height || node.data.trim().length < 3;
                const upright = !element.closest('[data-angle="90"], [data-angle="270"]');
                // A line's box has room above and below its letters: what is looked at are the letters, 0.72 em high.
                const blank = Math.max(0, ((upright ? box.height : box.width) - 0.72 * size) / 2);
                const ink = upright
                    ? { left: box.left, right: box.right, top: box.top + blank, bottom: box.bottom - blank }
                    : { left: box.left + blank, right: box.right - blank, top: box.top, bottom: box.bottom };
                found.push({ text: node.data.trim(), element, ink, across });
            }
        }
        return found;
    }

    function lookAtText(say) {
        const drawn = [];
        for (const { text, element, ink } of lines()) {
            const part = seen(ink, element);
            if (!part) continue; // for screen readers alone
            const over = [part.left - ink.left, ink.right - part.right, part.top - ink.top, ink.bottom - part.bottom];
            const cut = Math.max(...over);
            if (cut > 1.5 && !part.scrolls) say(`“${text}” (${name(element)}) is cut by ${cut.toFixed(1)} px`);
            if (part.right - part.left > 1 && part.bottom - part.top > 1) drawn.push({ text, element, part });
        }
        drawn.forEach((one, index) => {
            for (const other of drawn.slice(index + 1)) {
                if (one.element === other.element) continue;
                const wide = Math.min(one.part.right, other.part.right) - Math.max(one.part.left, other.part.left);
                const high = Math.min(one.part.bottom, other.part.bottom) - Math.max(one.part.top, other.part.top);
                if (wide > 1 && high > 1) {
                    say(`“${one.text}” (${name(one.element)}) lies on “${other.text}” (${name(other.element)})`);
                }
            }
        });
        for (const place of clock.querySelectorAll('.told, .sheet .body')) {
            const room = Math.min(place.clientHeight, 400);
            if (shown(place) && place.scrollHeight > place.clientHeight + 1 && room < 44) {
                say(`${name(place)} has ${room} px to be read in`);
            }
        }
    }

    /** Return the width of the letters of an element in its own direction. */
    function across(element) {
        const range = document.createRange();
        range.selectNodeContents(element);
        const box = range.getBoundingClientRect();
        return element.closest('[data-angle="90"], [data-angle="270"]') ? box.height : box.width;
    }

    function lookAtDigits(say) {
        for (const half of clock.querySelectorAll('.half')) {
            const digits = half.querySelector('.digits');
            const seat = half.dataset.seat;
            const size = parseFloat(getComputedStyle(digits).fontSize);
            const covered = half.dataset.sheet === 'open';
            const small = half.classList.contains('small');
            const plain = !('panel' in half.dataset) && !covered && half.dataset.mode !== 'ready';
            if (!shown(digits)) {
                if (!small && half.dataset.mode !== 'over') say(`${seat}: no time is shown`);
                continue;
            }
            const share = across(digits) / half.clientWidth;
            const tall = size / half.clientHeight;
            if (share > 1) say(`${seat}: the digits take ${(100 * share).toFixed()} % of the width`);
            if (small) continue;
            const [least, high] = plain ? [0.8, 0.53] : [0.4, 0.26];
            if (half.dataset.mode !== 'ready' && !covered && share < least && tall < high) {
                const [wide, long] = [share, tall].map((part) => `${(100 * part).toFixed()} %`);
                say(`${seat}: the digits take ${wide} of the width and ${long} of the height`);
            }
            if (half.dataset.mode === 'ready' && !covered) {
                const score = parseFloat(getComputedStyle(half.querySelector('.score')).fontSize);
                if (score <= size) say(`${seat}: the score (${score} px) is no larger than the time (${size} px)`);
            }
            if (covered && size < 28) say(`${seat}: beside a sheet the digits are ${size} px`);
        }
    }

    function lookAtReading(say) {
        for (const part of clock.querySelectorAll('.standing b, .half:not(.small) .facts, .who, .half .score')) {
            const size = parseFloat(getComputedStyle(part).fontSize);
            if (shown(part) && part.textContent && size < 19.99) say(`${name(part)} is read at ${size} px`);
        }
    }

    /** A clock that runs is in sight, and nothing lies on it. */
    function lookAtRunning(say) {
        const { match } = clock;
        const half = match.status === 'running' && clock.querySelector(`.half[data-seat=${match.turn}]`);
        if (!half) return;
        const digits = half.querySelector('.digits');
        const box = digits.getBoundingClientRect();
        const on = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
        if (!shown(digits) || !on || !half.contains(on) || on.closest('.sheet')) say('the running clock is covered');
        const stops = [...clock.querySelectorAll('.actions .stop')];
        if (stops.length && !stops.every(shown)) say('there is no Stop in sight');
    }

    for (const font of fonts) {
        document.documentElement.style.setProperty('--font', `"${font}", sans-serif`);
        for (let frame = 0; frame < 1; frame += 1) await new Promise(requestAnimationFrame);
        const say = (words) => wrong.push(`${font}: ${words}`);
        lookAtText(say);
        lookAtDigits(say);
        lookAtReading(say);
        lookAtRunning(say);
    }
    return wrong;
}"""
