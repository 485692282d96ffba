/** HTML of any program becomes the schema's blocks, by the reader that paste has. Nothing of it runs. */
import { describe, expect, test } from 'vitest'
import { importOne, linesIn, pngOf, typesIn } from './fixtures/import-files.ts'

const importHtml = (html: string) => importOne('page.html', html)

const dataAddress = (bytes: Uint8Array): string =>
  `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`

test('a page becomes blocks, and its title the title', async () => {
  const { title, blocks, losses } =
    await importHtml(`<!doctype html><html><head><title>Plan &amp; more</title>
    <style>p { color: red }</style></head><body><h2>Why</h2><p style="text-align: center">Hello <b>you</b></p>
    <ul><li>one<ul><li>two</li></ul></li></ul><pre><code class="language-js">a()</code></pre><hr>
    <ul><li><input type=checkbox checked> done</li></ul><blockquote><p>said</p></blockquote></body></html>`)
  expect(title).toBe('Plan & more')
  expect(typesIn(blocks)).toEqual([
    'heading',
    'paragraph',
    'bulletList',
    'codeBlock',
    'horizontalRule',
    'taskList',
    'blockquote',
  ])
  expect(blocks[1]).toMatchObject({
    attrs: { align: 'center' },
    content: [{ text: 'Hello ' }, { text: 'you', marks: [{ type: 'bold' }] }],
  })
  expect(blocks[3]).toMatchObject({ attrs: { language: 'javascript' } })
  expect(blocks[5]!.content![0]).toMatchObject({ attrs: { checked: true } })
  expect(losses).toEqual([])
})

test('tables keep their head, their widths and what is merged', async () => {
  const { blocks } = await importHtml(`<table><colgroup><col width=120><col width=80></colgroup>
    <thead><tr><th>A</th><th>B</th></tr></thead>
    <tbody><tr><td colspan=2>wide</td></tr></tbody><tfoot><tr><td>last</td><td>4</td></tr></tfoot></table>`)
  const [table] = blocks
  expect(table).toMatchObject({ type: 'table', attrs: { headerRow: true } })
  expect(table!.attrs!['columns']).toMatch(/^\S+:120: \S+:80:$/)
  expect(table!.content!.map(({ content }) => linesIn(content!))).toEqual([
    ['A', 'B'],
    ['wide', ''],
    ['last', '4'],
  ])
  expect(table!.content![1]!.content![0]).toMatchObject({ attrs: { colspan: 2 } })
})

describe('pictures', () => {
  test('whose bytes stand in the page become files of the document', async () => {
    const { blocks, files, losses } = await importHtml(
      `<p>before</p><p><img alt="A dot" src="${dataAddress(pngOf())}"></p>`,
    )
    expect(typesIn(blocks)).toEqual(['paragraph', 'picture'])
    expect(files).toHaveLength(1)
    expect(blocks[1]!.attrs).toMatchObject({
      file: files[0]!.id,
      type: 'image/png',
      width: 2,
      height: 3,
      alt: 'A dot',
    })
    expect(Buffer.from(files[0]!.bytes).equals(pngOf())).toBe(true)
    expect(losses).toEqual([])
  })

  test('of the web become links, and others are lost, which is said', async () => {
    const { blocks, files, losses } = await importHtml(
      `<p><img src="https://a.example/x.png" alt="Cat"></p><p><img src="file:///etc/passwd"></p>
       <p><img src="data:image/svg+xml;base64,${btoa('<svg onload="alert(1)"/>')}"></p>
       <p><img src="${dataAddress(pngOf(20_000, 20_000))}"></p><video src=x></video><iframe src=x></iframe>`,
    )
    expect(files).toEqual([])
    expect(linesIn(blocks)).toEqual(['Cat'])
    expect(losses).toEqual([
      '1 image was on the web: a link to it is kept.',
      '3 images could not be imported.',
      '1 video could not be imported.',
      '1 embedded page could not be imported.',
    ])
  })
})

const payloads = [
  '<script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" &#106;avascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:x">x</a>',
  '<a href="//evil.example" onclick=alert(1)>x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<base href="javascript:alert(1)//"><a href="x">x</a>',
  '<figure data-picture="x"><img src="javascript:alert(1)" onerror=alert(1)></figure>',
  '<div data-file="../../etc" data-name="a.html"></div>',
  '<div data-math=block>\\href{javascript:alert(1)}{x}</div>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<ul id=__proto__><li onclick=alert(1)>x',
]

/** All attributes of blocks and marks. */
function attributesIn(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  const { attrs, ...rest } = value as Record<string, unknown>
  return [
    ...Object.entries((attrs ?? {}) as Record<string, unknown>),
    ...Object.values(rest).flatMap((one) => (Array.isArray(one) ? one.flatMap(attributesIn) : [])),
  ]
}

test('drawings and embedded objects are named, and decoration is not', async () => {
  const { losses } = await importHtml(
    '<p>a</p><svg><path/></svg><svg aria-hidden="true"></svg><canvas></canvas><object data="a.pdf"></object>',
  )
  expect(losses).toEqual([
    '2 drawings and charts could not be imported.',
    '1 embedded object could not be imported.',
  ])
})

describe('nothing runs', () => {
  test.each([
    ['HTML', 'x.html', (payload: string) => `<p>a</p>${payload}<p>b</p>`],
    ['Markdown', 'x.md', (payload: string) => `a\n\n${payload}\n\n[x](javascript:alert(1))\n\nb ${payload}`],
  ] as const)('in %s', async (_format, name, wrap) => {
    for (const payload of payloads) {
      const { blocks } = await importOne(name, wrap(payload))
      for (const [key, value] of attributesIn({ content: blocks })) {
        expect(key).not.toMatch(/^on|style|srcdoc/i)
        if (key === 'href') expect(String(value)).toMatch(/^(?:https?:|mailto:|tel:)/i)
      }
    }
  })
})

test.each([
  ['elements within each other, by the thousand', '<div>'.repeat(100_000)],
  ['quotes within each other', `${'<blockquote>'.repeat(3_000)}x`],
])('%s end with a sentence or a document', async (_what, html) => {
  const read = await importHtml(html).then(
    ({ blocks }) => blocks.length,
    (error: Error) => error.message,
  )
  expect(typeof read === 'number' ? read : read.length).toBeGreaterThan(0)
})

test('a page of more elements than a document has is refused before it is parsed', async () => {
  await expect(importHtml('<b></b>'.repeat(50_001))).rejects.toThrow('too many parts')
})
