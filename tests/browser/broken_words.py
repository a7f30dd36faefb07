"""Script that finds words broken across lines."""

# Returns the visible words broken across lines, and the horizontal overflow in pixels.
BROKEN = """() => {
    const broken = [];
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode;
        if (!text.parentElement.checkVisibility() || text.parentElement.closest('svg')) continue;
        for (const { index, 0: word } of text.data.matchAll(/[^\\s–-]+/g)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
        }
    }
    return [broken, document.documentElement.scrollWidth - innerWidth];
}"""
