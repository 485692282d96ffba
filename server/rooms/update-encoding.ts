/** The numbers of Yjs's encoding of an update (V1), and of lib0's encoding of a value. */

/** The lowest five bits of a struct's first byte are its kind; the kinds from `deleted` on have content. */
export const KIND_BITS = 31
export const KIND = {
  collected: 0,
  deleted: 1,
  json: 2,
  binary: 3,
  string: 4,
  embed: 5,
  format: 6,
  type: 7,
  any: 8,
  document: 9,
  skip: 10,
} as const

/** The first byte of an Any in lib0. */
export const ANY_KIND = {
  undefined: 127,
  null: 126,
  integer: 125,
  float32: 124,
  float64: 123,
  bigint: 122,
  false: 121,
  true: 120,
  string: 119,
  object: 118,
  array: 117,
  bytes: 116,
} as const

/** The other bits of a struct's first byte say which of these follow. */
export const STRUCT_FLAG = { parentSub: 32, rightOrigin: 64, origin: 128 } as const

/** The types that have a name: an element, and a hook. */
export const NAMED_TYPES: ReadonlySet<number> = new Set([3, 5])
