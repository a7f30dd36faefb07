/** Lint the style sheets: `deno run --config .ci/styles/deno.json .ci/styles/lint.js`. Fails if something is wrong. */
import stylelint from 'stylelint';
import config from './config.js';

const { report, errored } = await stylelint.lint({ files: 'static/**/*.css', config, formatter: 'unix' });
if (report) console.error(report);
if (errored) Deno.exit(1);
