"""Scripts that show states of the clock page and report layout faults.

Each state is applied as a server frame at its own time. One script measures all states, to save round trips.
"""

# Defines `window.geometry` in a page; its last line lists the functions.
GEOMETRY = r"""() => {
    const clock = document.querySelector('match-clock');
    const SMALLEST = 12; // px: less cannot be read
    const TOUCH = 47.5; // px
    const SOFT = '\u00AD';
    let version = 1e6;
    let keepsLoss = false;
    let lost = false;
    clock.source.stop(); // what is shown is told by nobody else
    const { link } = clock.source;
    link.unansweredAt = null; // a ping in flight is not missed
    let looks = new Map();
    let windows = new Map();
    const style = (element) => {
        if (!looks.has(element)) looks.set(element, getComputedStyle(element));
        return looks.get(element);
    };
    const shown = (element) => element && element.checkVisibility({ visibilityProperty: true });
    const name = (element) => (element.className && String(element.className)) || element.tagName.toLowerCase();
    const sizeOf = (element) => parseFloat(style(element).fontSize);
    const upright = (element) => !element.closest('[data-angle="90"], [data-angle="270"]');

    /** Return the box in which what is in an element can be seen, and whether it may be reached by scrolling. */
    function windowOf(element) {
        if (element === document.documentElement || !element) {
            return { left: 0, right: innerWidth, top: 0, bottom: innerHeight, scrolls: false };
        }
        if (windows.has(element)) return windows.get(element);
        let box = windowOf(element.parentElement);
        const { overflowX, overflowY, clipPath } = style(element);
        if (clipPath !== 'none') box = null; // for screen readers alone
        else if (box && (overflowX !== 'visible' || overflowY !== 'visible')) {
            const frame = element.getBoundingClientRect();
            box = { ...cut(box, frame), scrolls: box.scrolls || overflowY === 'auto' || overflowY === 'scroll' };
        }
        windows.set(element, box);
        return box;
    }

    const cut = (box, frame) => ({
        left: Math.max(box.left, frame.left),
        right: Math.min(box.right, frame.right),
        top: Math.max(box.top, frame.top),
        bottom: Math.min(box.bottom, frame.bottom),
    });

    /** Return what can be seen of a box: cut by whatever clips it; and whether it may be reached by scrolling. */
    function seen(box, from) {
        const frame = windowOf(from);
        return frame && { ...cut(box, frame), scrolls: frame.scrolls };
    }

    /** Return a word of a text that its lines break in two, or undefined. */
    function brokenWord(node, range) {
        for (const { 0: word, index } of node.data.matchAll(/\d+–\d+|[\p{L}\p{M}’.]+/gu)) {
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const inked = ({ width, height }) => width >= 1 && height >= 1; // WebKit adds an empty box after a hyphen
            const boxes = [...range.getClientRects()].filter(inked);
            if (node.data[index - 1] === SOFT && boxes.length > 1) boxes.shift(); // of the hyphen
            const [first, ...more] = boxes;
            // Parts of one line share its height, on a half that is turned its width.
            const [from, to] = upright(node.parentElement) ? ['top', 'bottom'] : ['left', 'right'];
            const shared = (part) => Math.min(part[to], first[to]) - Math.max(part[from], first[from]);
            if (more.some((part) => shared(part) < (part[to] - part[from]) / 3)) return word;
        }
    }

    /** Return every line of text that is drawn: its words, and the box of its letters without the room around them. */
    function lines(say) {
        const found = [];
        const walker = document.createTreeWalker(clock, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        while (walker.nextNode()) {
            const node = walker.currentNode;
            const element = node.parentElement;
            if (!node.data.trim() || element.closest('.unseen') || !shown(element)) continue;
            range.selectNodeContents(node);
            const size = sizeOf(element);
            const boxes = [...range.getClientRects()].filter(({ width }) => width >= 1);
            for (const box of boxes) {
                // A line's box has room above and below its letters: what is looked at are the letters, 0.72 em high.
                const blank = Math.max(0, ((upright(element) ? box.height : box.width) - 0.72 * size) / 2);
                const ink = upright(element)
                    ? { left: box.left, right: box.right, top: box.top + blank, bottom: box.bottom - blank }
                    : { left: box.left + blank, right: box.right - blank, top: box.top, bottom: box.bottom };
                found.push({ text: node.data.trim(), element, ink, size });
            }
            const broken = boxes.length > 1 && brokenWord(node, range);
            if (broken) say(`“${broken}” (${name(element)}) is broken in two`);
        }
        return found;
    }

    function lookAtText(say) {
        const drawn = [];
        for (const { text, element, ink, size } of lines(say)) {
            const part = seen(ink, element);
            if (!part) continue; // for screen readers alone
            const over = [part.left - ink.left, ink.right - part.right, part.top - ink.top, ink.bottom - part.bottom];
            const cut = Math.max(...over);
            if (cut > 1.5 && !part.scrolls) say(`“${text}” (${name(element)}) is cut by ${cut.toFixed(1)} px`);
            if (size < SMALLEST - 0.01) say(`“${text}” (${name(element)}) is ${size.toFixed(1)} px high`);
            if (part.right - part.left > 1 && part.bottom - part.top > 1) drawn.push({ text, element, part });
        }
        drawn.forEach((one, index) => {
            for (let next = index + 1; next < drawn.length; next += 1) {
                const other = drawn[next];
                if (one.element === other.element) continue;
                const wide = Math.min(one.part.right, other.part.right) - Math.max(one.part.left, other.part.left);
                const high = Math.min(one.part.bottom, other.part.bottom) - Math.max(one.part.top, other.part.top);
                if (wide > 1 && high > 1) {
                    say(`“${one.text}” (${name(one.element)}) lies on “${other.text}” (${name(other.element)})`);
                }
            }
        });
        for (const place of clock.querySelectorAll('.told, .ending, .sheet .body')) {
            const room = Math.min(place.clientHeight, 400);
            if (shown(place) && place.scrollHeight > place.clientHeight + 1 && room < 44) {
                say(`${name(place)} has ${room} px to be read in`);
            }
        }
    }

    function lookAtButtons(say) {
        for (const button of clock.querySelectorAll('.actions button, .panel button, .panel a, .sheet button')) {
            const { width, height } = button.getBoundingClientRect();
            if (shown(button) && Math.min(width, height) < TOUCH) {
                say(`“${button.textContent}” is ${width.toFixed()} x ${height.toFixed()} px to be tapped`);
            }
        }
    }

    /** Return the width of the letters of an element in its own direction. */
    function across(element) {
        const range = document.createRange();
        range.selectNodeContents(element);
        const box = range.getBoundingClientRect();
        return upright(element) ? box.width : box.height;
    }

    function lookAtDigits(say) {
        for (const half of clock.querySelectorAll('.half')) {
            const digits = half.querySelector('.digits');
            const seat = half.dataset.seat;
            const size = sizeOf(digits);
            const covered = half.dataset.sheet === 'open';
            const small = half.classList.contains('small');
            const plain = !('panel' in half.dataset) && !covered && half.dataset.mode !== 'ready';
            if (!shown(digits)) {
                const without = small || half.dataset.mode === 'over' || 'invites' in half.dataset;
                if (!without) say(`${seat}: no time is shown`);
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
                const score = sizeOf(half.querySelector('.score'));
                if (score <= size) say(`${seat}: the score (${score} px) is no larger than the time (${size} px)`);
            }
            if (covered && size < 28) say(`${seat}: beside a sheet the digits are ${size} px`);
        }
    }

    function lookAtReading(say) {
        for (const part of clock.querySelectorAll('.standing b, .half:not(.small) .facts, .who, .half .score')) {
            const size = sizeOf(part);
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

    const useFont = (font) => document.documentElement.style.setProperty('--font', `"${font}", sans-serif`);

    /** Show a match as of the instant at which it was made. */
    function show(match) {
        const { sync } = clock.source;
        if (!lost) link.newsAt = performance.now(); // however long the test has taken
        clock.closeSheets();
        version += 1;
        sync.probes = [];
        sync.offset = null;
        sync.hint(performance.now(), match.now);
        clock.state.presence = null; // as on a page that has just opened: no phone is back
        clock.state.match = { ...clock.match, turn_reserve_ms: match.turn_reserve_ms }; // so no change is told
        clock.source.tell('match', { ...match, v: version });
        const waits = clock.getAnimations({ subtree: true }).filter(({ animationName }) => animationName === 'ends');
        for (const wait of waits) wait.finish(); // without waiting for the figures of an end
        // A turn that began long ago is shown only now.
        if (!keepsLoss) clock.querySelector('.late:not([hidden]) .settles button:last-child')?.click();
    }

    /** Show what an absence cost, in a turn of this phone, and keep that notice. */
    async function showLoss() {
        while (!clock.querySelector('.late')) await new Promise(requestAnimationFrame);
        const { match } = clock;
        keepsLoss = true;
        show({ ...match, turn: clock.seats[0] === 'left' ? 'right' : 'left' });
        show({ ...match, since: match.since - 113_000 });
    }

    /** Lose the server nine seconds ago. */
    function lose() {
        lost = true;
        link.newsAt = link.unansweredAt = performance.now() - 9000;
    }

    /** Let what takes no tap at first take one, as it does a moment later. */
    function wake() {
        for (const button of clock.querySelectorAll('[data-rests]')) {
            button.removeAttribute('data-rests');
            button.disabled = false;
        }
        clock.refresh();
    }

    /** Return what is wrong with what is shown now, in the font that is used. */
    function look() {
        const wrong = [];
        looks = new Map();
        windows = new Map();
        const say = (words) => wrong.push(words);
        for (const part of [lookAtText, lookAtButtons, lookAtDigits, lookAtReading, lookAtRunning]) part(say);
        return wrong;
    }

    /**
     * Open each sheet of a seat that is not in `known` yet; call `shownSheet(name)` for each. A sheet that another menu
     * has led to is not opened again, which would take longer than a look at it.
     */
    function eachSheet(seat, known, shownSheet) {
        const shown = (name) => {
            if (known.has(name)) return;
            known.add(name);
            shownSheet(name);
        };
        const half = clock.half(seat);
        const bar = clock.querySelector(`.actions[data-seat=${seat}]`);
        const open = (button) => {
            button.click();
            return half.sheet.open;
        };
        const title = () => half.element.querySelector('.sheet h2').textContent;
        const leading = () =>
            [...half.element.querySelectorAll('.sheet button')].filter(({ textContent: words }) => words.endsWith('…'));
        for (const button of bar.querySelectorAll('.double, .undo')) {
            if (!button.hidden && !button.disabled && open(button)) shown(title());
        }
        const menu = bar.querySelector('.more');
        const openAlong = (path) => {
            open(menu);
            for (const step of path) leading().find(({ textContent }) => textContent === step).click();
        };
        function walk(path) {
            const ways = leading().map(({ textContent }) => textContent).filter((words) => !known.has(words));
            for (const words of ways) {
                known.add(words);
                openAlong([...path, words]);
                shown(title());
                walk([...path, words]);
            }
        }
        openAlong([]);
        shownSheet('the menu');
        walk([]);
        half.sheet.close();
    }

    /**
     * Return what is wrong in this window with `states` ({name: match}) in each of `fonts`, by their names; with the
     * sheets of `seat` over them, where one is named.
     */
    function wrongIn(states, fonts, seat) {
        const wrong = {};
        const note = (state) => {
            for (const font of fonts) {
                useFont(font);
                for (const words of look()) (wrong[state] ??= []).push(`${font}: ${words}`);
            }
        };
        const known = new Set();
        for (const [state, match] of Object.entries(states)) {
            show(match);
            if (seat) eachSheet(seat, known, (sheet) => note(`${state}, ${sheet}`));
            else note(state);
        }
        return wrong;
    }

    window.geometry = { wrongIn, look, useFont, show, showLoss, lose, wake };
}"""

WRONG_IN = "([states, fonts, seat]) => window.geometry.wrongIn(states, fonts, seat)"

# Returns the layout faults of the current page in each font.
LOOK = """(fonts) => fonts.flatMap((font) => {
    window.geometry.useFont(font);
    return window.geometry.look().map((words) => `${font}: ${words}`);
})"""

# Returns the panels whose text does not fit without scrolling, in each state and font.
SCROLLED_IN = """([states, fonts]) => Object.entries(states).flatMap(([state, match]) => {
    window.geometry.show(match);
    return fonts.flatMap((font) => {
        window.geometry.useFont(font);
        return [...document.querySelectorAll('.half .told')]
            .filter((told) => told.scrollHeight > told.clientHeight + 1)
            .map((told) => `${state}, ${font}: ${told.clientHeight} of ${told.scrollHeight} px`);
    });
})"""

# Returns the parts of a result that are out of sight without scrolling, in each font.
OUT_OF_SIGHT = """(fonts) => fonts.flatMap((font) => {
    window.geometry.useFont(font);
    return [...document.querySelectorAll('.ending')].flatMap((ending) => {
        ending.scrollTop = 0;
        const frame = ending.getBoundingClientRect();
        return [...ending.querySelectorAll('.final p')].flatMap((part) => {
            const box = part.getBoundingClientRect();
            const over = Math.max(frame.top - box.top, box.bottom - frame.bottom, frame.left - box.left,
                box.right - frame.right);
            return over > 1.5 ? [`${font}: “${part.textContent}” is out of sight by ${over.toFixed(1)} px`] : [];
        });
    });
})"""
