import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMarkdown } from '../../text/from-markdown.ts'
import { markdownOf } from '../../text/markdown.ts'
import { treeOf } from '../../text/tree.ts'
import { pictureTypes } from '../../files/picture-types.ts'
import { alignments } from '../alignment.ts'
import { describeBlock } from '../block.contract.ts'
import { sharedTextOf, textSchema } from '../fixtures/block-documents.ts'
import type { JsonNode } from '../json-node.ts'
import { pictureWidths } from './picture-attributes.ts'
import { picture } from './picture.ts'

const side = fc.integer({ min: 1, max: 32_767 })

describeBlock(picture, {
  attributes: fc
    .record({
      file: fc.stringMatching(/^[\w-]{22}$/),
      name: fc.constantFrom('', 'a.png', 'ein Bild (2).jpg', 'ñ#%,/&.gif'.replace('/', ' ')),
      type: fc.constantFrom('', ...pictureTypes),
      size: fc.option(fc.record({ width: side, height: side }), { nil: { width: null, height: null } }),
      alt: fc.constantFrom(null, '', 'a cat', 'a "cat" [on] a *wall*'),
      align: fc.constantFrom(null, ...alignments),
      percent: fc.constantFrom(null, ...pictureWidths),
    })
    .map(({ size, ...rest }) => ({ ...rest, ...size })),
})

const pictureOf = (attrs: Readonly<Record<string, unknown>>, ...content: JsonNode[]): JsonNode => ({
  type: 'picture',
  attrs: {
    file: 'AAAAAAAAAAAAAAAAAAAAAA',
    name: '',
    type: '',
    width: null,
    height: null,
    alt: null,
    align: null,
    percent: null,
    ...attrs,
  },
  content: [{ type: 'caption', ...(content.length > 0 && { content }) }],
})
const written = (...content: JsonNode[]): string =>
  markdownOf(treeOf(sharedTextOf(textSchema.nodeFromJSON({ type: 'doc', content }))))

test('Markdown is an image by file id', () => {
  const attrs = { name: 'cat.png', type: 'image/png', width: 1200, height: 800, alt: 'A cat', percent: 50 }
  expect(written(pictureOf(attrs, { type: 'text', text: 'On a wall', marks: [{ type: 'bold' }] }))).toBe(
    '![A cat](diptych-file:AAAAAAAAAAAAAAAAAAAAAA/cat.png#image%2Fpng,1200x800,50 "On a wall")\n',
  )
})

test.each<[string, JsonNode]>([
  ['nothing but a file', pictureOf({})],
  ['only decoration', pictureOf({ alt: '' })],
  ['a name with signs', pictureOf({ name: 'a (1) [2] 100% &amp; #.png' })],
  ['a caption with signs', pictureOf({ alt: 'x' }, { type: 'text', text: '"a" \\ *b* & <c> `d` [e](f)' })],
])('a picture of %s is read again as what it is', (_name, original) => {
  expect(parseMarkdown(written(original)).blocks).toEqual([original])
})

test.each([
  'diptych-file:short/a.png',
  'diptych-file:AAAAAAAAAAAAAAAAAAAAAA',
  'javascript:alert(1)',
  'data:image/png;base64,AAAA',
])('an image at %s is no picture, and is counted as lost', (address) => {
  const { blocks, lost } = parseMarkdown(`![a](${address})`)
  expect(JSON.stringify(blocks)).not.toContain('picture')
  expect(lost.image).toBe(1)
})
