import { type Node, Slice } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { textSchema } from './fixtures/block-documents.ts'
import { limitNesting } from './nesting-limit.ts'

const { blockquote, bulletList, doc, listItem, paragraph } = textSchema.nodes
const line = (letters: string): Node => paragraph!.create(null, textSchema.text(letters))

const quoted = (levels: number, inner: Node): Node =>
  levels === 0 ? inner : blockquote!.create(null, [line(`${levels}`), quoted(levels - 1, inner)])
const listed = (levels: number, inner: Node): Node =>
  levels === 0
    ? inner
    : bulletList!.create(null, listItem!.create(null, [line(`${levels}`), listed(levels - 1, inner)]))

const sliceOf = (...nodes: Node[]): Slice => new Slice(doc!.create(null, nodes).content, 0, 0)

function depthOf(node: Node): number {
  return node.isTextblock ? 0 : 1 + Math.max(...node.children.map(depthOf))
}

test.each([
  ['quotes', quoted, 500],
  ['lists', listed, 250],
] as const)(
  'of %s within each other all letters are kept, at most 42 blocks deep',
  (_name, nested, levels) => {
    const slice = sliceOf(nested(levels, line('innermost')))
    const limited = doc!.create(null, limitNesting(slice, 0).content)
    limited.check()
    expect(limited.textContent).toBe(slice.content.textBetween(0, slice.content.size))
    expect(depthOf(limited)).toBeLessThanOrEqual(42)
    expect(depthOf(doc!.create(null, limitNesting(slice, 30).content))).toBeLessThanOrEqual(12)
  },
)

test('what is not too deep stays the same slice, as open as it was', () => {
  const slice = new Slice(sliceOf(quoted(20, line('a'))).content, 1, 2)
  expect(limitNesting(slice, 0)).toBe(slice)
})
