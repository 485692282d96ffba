import { expect, test, vi } from 'vitest'
import { pageSchema } from '@/components/editor/schema.ts'

/** The unknown attributes that a pasted quote gets; undefined for none. */
function unknownOf(dataset: DOMStringMap): unknown {
  const [rule] = pageSchema.nodes.blockquote!.spec.parseDOM!
  const element = { dataset, getAttribute: () => null, style: {} } as unknown as HTMLElement
  return (rule!.getAttrs!(element) as Record<string, unknown>).unknownAttributes
}

test('unknown attributes of what is pasted are JSON, and nothing is parsed where there are none', () => {
  expect(unknownOf({ unknown: '{"glow":1}' })).toBe('{"glow":1}')
  for (const unknown of ['', '7', '{', 'null']) expect(unknownOf({ unknown })).toBeUndefined()
  using parse = vi.spyOn(JSON, 'parse')
  expect(unknownOf({})).toBeUndefined()
  expect(parse).not.toHaveBeenCalled()
})
