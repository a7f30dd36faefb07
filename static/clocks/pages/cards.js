/** The page of table cards: the button that prints them. */
document.querySelector('[data-print]')?.addEventListener('click', () => print());
