/** Answers each line of the standard input, `[script, argument]`, with `[result]` or `[null, error]`. */
const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream());
const write = (reply) => Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(reply)}\n`));

async function answer(line) {
  const [script, given] = JSON.parse(line);
  try {
    const made = (0, eval)(`(${script})`);
    write([(await (typeof made === 'function' ? made(given) : made)) ?? null]);
  } catch (error) {
    write([null, String(error?.stack ?? error)]);
  }
}

let rest = '';
for await (const text of lines) {
  const parts = (rest + text).split('\n');
  rest = parts.pop() ?? '';
  for (const line of parts) await answer(line);
}
