// Find elements as Playwright's locators do, as far as tests use them. `chain` is a list of steps [kind, ...].
(chain) => {
    const ROLES = {
        alert: '[role=alert]',
        alertdialog: '[role=alertdialog]',
        button: 'button, summary, input[type=submit], input[type=button], [role=button]',
        cell: 'td, [role=cell]',
        checkbox: 'input[type=checkbox], [role=checkbox]',
        dialog: 'dialog, [role=dialog], [role=alertdialog]',
        group: 'fieldset, details, [role=group]',
        heading: 'h1, h2, h3, h4, h5, h6, [role=heading]',
        img: 'img, [role=img]',
        link: 'a[href], [role=link]',
        navigation: 'nav, [role=navigation]',
        status: 'output, [role=status]',
    };
    const plain = (words) => (words ?? '').replace(/[\u00AD\u200B]/g, '').replace(/\s+/g, ' ').trim();
    const visible = (element) => {
        const { width, height } = element.getBoundingClientRect();
        return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
    };
    const read = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true]');

    const textOf = (element) => (element instanceof HTMLInputElement ? element.value : element.textContent);
    const ofIds = (ids) => ids.split(' ').map((id) => document.getElementById(id)?.textContent).join(' ');

    /** Return an element's accessible name. */
    function nameOf(element) {
        const legend = element.matches('fieldset') && element.querySelector('legend');
        if (element.hasAttribute('aria-labelledby')) return ofIds(element.getAttribute('aria-labelledby'));
        if (element.hasAttribute('aria-label')) return element.getAttribute('aria-label');
        if (legend) return legend.textContent;
        if (element.labels?.length) return [...element.labels].map(({ textContent }) => textContent).join(' ');
        if (element.matches('img')) return element.alt;
        const spoken = (node) => {
            if (node.nodeType === Node.TEXT_NODE) return node.data;
            if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute('aria-hidden') === 'true') return '';
            if (node !== element && !node.checkVisibility({ visibilityProperty: true })) return '';
            if (node !== element && node.hasAttribute('aria-label')) return node.getAttribute('aria-label');
            const block = getComputedStyle(node).display !== 'inline';
            return `${block ? ' ' : ''}${[...node.childNodes].map(spoken).join('')}${block ? ' ' : ''}`;
        };
        return spoken(element) || element.value || element.title;
    }

    /** `wanted` is {text, exact} or {pattern, flags}, or nothing. */
    function fits(words, wanted) {
        const said = plain(words);
        if (!wanted) return true;
        if (wanted.pattern !== undefined) return new RegExp(wanted.pattern, wanted.flags).test(said);
        const text = plain(wanted.text);
        return wanted.exact ? said === text : said.toLowerCase().includes(text.toLowerCase());
    }

    const below = (roots, css) => roots.flatMap((root) => {
        if (!/^[+>~]/.test(css)) return [...root.querySelectorAll(css)];
        return [...root.parentNode.querySelectorAll(`:scope ${css[0] === '>' ? '' : '> *'} ${css}`)];
    });
    const STEPS = {
        css: (from, css) => below(from, css),
        role(from, role, wanted) {
            if (!ROLES[role]) throw new Error(`find.js does not know the role ${role}`);
            const own = (element) => [null, role].includes(element.getAttribute('role')) || role === 'dialog';
            return below(from, ROLES[role]).filter((one) => own(one) && read(one) && fits(nameOf(one), wanted));
        },
        text(from, wanted) {
            const found = below(from, '*').filter((one) => {
                return !one.matches('script, style, noscript') && fits(textOf(one), wanted);
            });
            return found.filter((one) => !found.some((other) => other !== one && one.contains(other)));
        },
        label(from, wanted) {
            return below(from, 'input, select, textarea, [aria-label]').filter((one) => fits(nameOf(one), wanted));
        },
        visible: (from) => from.filter(visible),
        says: (from, wanted) => from.filter((one) => fits(textOf(one), wanted)),
        nth: (from, index) => [from.at(index)].filter(Boolean),
        and: (from, other) => {
            const both = walk(other);
            return from.filter((one) => both.includes(one));
        },
    };

    function walk(steps) {
        let found = [document];
        for (const [kind, ...given] of steps) found = [...new Set(STEPS[kind](found, ...given))];
        return found;
    }

    return walk(chain);
}
