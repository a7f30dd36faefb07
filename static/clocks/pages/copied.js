/** Japanese text is marked where its lines may end; what is copied from a page is the text without the marks. */
const MARK = '\u200B';

document.addEventListener('copy', (event) => {
  const text = String(getSelection());
  if (!text.includes(MARK)) return;
  event.clipboardData?.setData('text/plain', text.replaceAll(MARK, ''));
  event.preventDefault();
});
