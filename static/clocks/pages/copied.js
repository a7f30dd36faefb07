/** Strip the zero-width spaces that allow line breaks in Japanese text when it is copied. */
const MARK = '\u200B';

document.addEventListener('copy', (event) => {
  const text = String(getSelection());
  if (!text.includes(MARK)) return;
  event.clipboardData?.setData('text/plain', text.replaceAll(MARK, ''));
  event.preventDefault();
});
