import { expect, test } from 'vitest'
import { looksLikeMarkdown } from './detect-markdown.ts'

test.each([
  ['a heading', '# Title'],
  ['a heading and text', 'Intro\n\n## Part\n\nText'],
  ['headings one under the other', '# Title\n## Part\n'],
  ['a task', '- [ ] todo'],
  ['a task that is done, in a numbered list', '1. [x] done'],
  ['a fence', 'So:\n\n```ts\nconst a = 1;\n```\n'],
  ['a fence of waves', '~~~\n# no heading\n~~~'],
  ['a list', 'Bring:\n- bread\n- milk'],
  ['a list with stars', '* a\n* b'],
  ['a numbered list', '1. a\n2. b'],
  ['a list whose lines end with semicolons', '- first;\n- second;'],
  ['a link', 'see [the page](https://example.org/a "title")'],
  ['a table', '| a | b |\n|---|:-:|\n| 1 | 2 |'],
  ['a callout', '> [!NOTE]\n> Mind the gap.'],
  ['text with a word and a colon', '# Plan\n\nnote: call Ada'],
  ['lines of another system', '# Title\r\n\r\nText'],
])('%s is Markdown', (_name, text) => {
  expect(looksLikeMarkdown(text)).toBe(true)
})

test.each([
  ['nothing', ''],
  ['a line with a star', '5 * 3 is *fifteen*'],
  ['a line that begins with a star', '* see below'],
  ['a line that begins with a dash', '- that is all'],
  ['bold letters and code in a line', 'press **Enter** in `vim`'],
  ['a tag', '#monday is over'],
  ['a number and a dot', '1. of May'],
  ['an address', 'https://example.org/a_b_c'],
  ['brackets of code', 'a[i](j) and f[0](x)'],
  ['a fence that is never closed', '```\nabc'],
  ['a comment above code', '# Load it\nimport json\nprint(json)'],
  ['Python with empty lines', '# Load it\n\nimport json\n\ndata = json.load(file)\n'],
  ['a shell script', '#!/bin/sh\n\n# Build\n\nnpm run build\n'],
  ['YAML', '# Build\n\nname: build\non:\n  - push\n  - pull_request\n'],
  ['a list in YAML', '- name: a\n- name: b\n'],
  ['a difference', '--- a/x\n+++ b/x\n- one\n- two\n+ three\n'],
  ['JavaScript', 'const a = {\n* b\n* c\n}'],
  ['C', '/*\n * one\n * two\n */\nint a = f(1);'],
  ['a quoted mail', '> as you said\n> yesterday'],
  ['two dashes of two kinds', '- one\n* two'],
])('%s is not Markdown', (_name, text) => {
  expect(looksLikeMarkdown(text)).toBe(false)
})
