/** Reads what another window wrote as JSON: whatever does not have the shape throws, what is not asked for is left out. */

export type Read<Value> = (value: unknown) => Value

type ValueOf<Reader> = Reader extends Read<infer Value> ? Value : never

export const number: Read<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : fail('a number', value)

export const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : fail('a flag', value))

/** Longer ones are cut: they are read by people. */
export const text: Read<string> = (value) =>
  typeof value === 'string' ? value.slice(0, 200) : fail('a text', value)

export const oneOf =
  <const Value>(...values: readonly Value[]): Read<Value> =>
  (value) =>
    values.find((one) => one === value) ?? fail(values.join(' or '), value)

export const either =
  <One, Other>(one: Read<One>, other: Read<Other>): Read<One | Other> =>
  (value) => {
    try {
      return one(value)
    } catch {
      return other(value)
    }
  }

export const list =
  <Value>(read: Read<Value>, limit: number): Read<readonly Value[]> =>
  (value) =>
    Array.isArray(value) ? value.slice(0, limit).map(read) : fail('a list', value)

/** @param optional Fields that may be missing, and then are. */
export const object =
  <Fields extends Record<string, Read<unknown>>, Optional extends Record<string, Read<unknown>> = {}>(
    fields: Fields,
    optional?: Optional,
  ): Read<
    { [Key in keyof Fields]: ValueOf<Fields[Key]> } & { [Key in keyof Optional]?: ValueOf<Optional[Key]> }
  > =>
  (value) => {
    if (typeof value !== 'object' || value === null) return fail('an object', value)
    const given = value as Record<string, unknown>
    const needed = Object.entries(fields).map(([key, read]) => [key, read(given[key])])
    const present = Object.entries(optional ?? {}).filter(([key]) => given[key] !== undefined)
    return Object.fromEntries([...needed, ...present.map(([key, read]) => [key, read(given[key])])])
  }

function fail(expected: string, value: unknown): never {
  throw new TypeError(`${expected} was expected, not ${String(value).slice(0, 40)}`)
}
