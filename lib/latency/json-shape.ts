/** Reads what another window wrote as JSON: a value of the wrong shape throws, and unknown fields are left out. */

export type ShapeReader<Value> = (value: unknown) => Value

type ValueOf<Reader> = Reader extends ShapeReader<infer Value> ? Value : never

export const number: ShapeReader<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : failShape('a number', value)

export const flag: ShapeReader<boolean> = (value) =>
  typeof value === 'boolean' ? value : failShape('a flag', value)

/** Longer text is cut, because people read it. */
export const text: ShapeReader<string> = (value) =>
  typeof value === 'string' ? value.slice(0, 200) : failShape('a text', value)

export const oneOf =
  <const Value>(...values: readonly Value[]): ShapeReader<Value> =>
  (value) =>
    values.find((one) => one === value) ?? failShape(values.join(' or '), value)

export const either =
  <One, Other>(one: ShapeReader<One>, other: ShapeReader<Other>): ShapeReader<One | Other> =>
  (value) => {
    try {
      return one(value)
    } catch {
      return other(value)
    }
  }

export const list =
  <Value>(read: ShapeReader<Value>, limit: number): ShapeReader<readonly Value[]> =>
  (value) =>
    Array.isArray(value) ? value.slice(0, limit).map(read) : failShape('a list', value)

/** @param optional Fields that may be missing, and are then left out. */
export const object =
  <
    Fields extends Record<string, ShapeReader<unknown>>,
    Optional extends Record<string, ShapeReader<unknown>> = {},
  >(
    fields: Fields,
    optional?: Optional,
  ): ShapeReader<
    { [Key in keyof Fields]: ValueOf<Fields[Key]> } & { [Key in keyof Optional]?: ValueOf<Optional[Key]> }
  > =>
  (value) => {
    if (typeof value !== 'object' || value === null) return failShape('an object', value)
    const given = value as Record<string, unknown>
    const needed = Object.entries(fields).map(([key, read]) => [key, read(given[key])])
    const present = Object.entries(optional ?? {}).filter(([key]) => given[key] !== undefined)
    return Object.fromEntries([...needed, ...present.map(([key, read]) => [key, read(given[key])])])
  }

function failShape(expected: string, value: unknown): never {
  throw new TypeError(`${expected} was expected, not ${String(value).slice(0, 40)}`)
}
