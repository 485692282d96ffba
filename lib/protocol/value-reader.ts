/**
 * Readers of JSON that strangers wrote: each returns the known content of a value, and undefined if the value does not fit. None
 * reads deeper than its own form, so deep nesting costs nothing.
 */

/** @returns Undefined if the value does not fit. */
export type ValueReader<Value> = (value: unknown) => Value | undefined

type Fields = Readonly<Record<string, unknown>>
type Readers = Readonly<Record<string, ValueReader<unknown>>>

/** Returns undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @param max In UTF-16 units. */
export const readText =
  (max: number, pattern?: RegExp): ValueReader<string> =>
  (value) =>
    typeof value === 'string' && value.length <= max && (!pattern || pattern.test(value)) ? value : undefined

/** Reads a safe integer, both bounds included. */
export const readInteger =
  (min = 0, max = Number.MAX_SAFE_INTEGER): ValueReader<number> =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? (value as number)
      : undefined

/** JSON writes neither NaN nor Infinity, but reads 1e999 as the latter. */
export const readFinite: ValueReader<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

export const readBoolean: ValueReader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)

export const readOneOf =
  <const Value>(...values: readonly Value[]): ValueReader<Value> =>
  (value) =>
    values.find((one) => one === value)

export const orNull =
  <Value>(read: ValueReader<Value>): ValueReader<Value | null> =>
  (value) =>
    value === null ? null : read(value)

export const eitherOf =
  <A, B>(first: ValueReader<A>, second: ValueReader<B>): ValueReader<A | B> =>
  (value) =>
    first(value) ?? second(value)

/** Leaves out entries that do not fit, and reads only the first `max` of a longer list. */
export const listOf =
  <Value>(read: ValueReader<Value>, max: number): ValueReader<Value[]> =>
  (value) =>
    Array.isArray(value)
      ? value.slice(0, max).flatMap((entry: unknown) => {
          const readEntry = read(entry)
          return readEntry === undefined ? [] : [readEntry]
        })
      : undefined

/** Leaves out fields that are unknown or do not fit. @param required If one of them is missing, the whole does not fit. */
export function recordOf(readers: Readers, ...required: readonly string[]): ValueReader<Fields> {
  const entries = Object.entries(readers)
  return (value) => {
    if (!isRecord(value)) return undefined
    const fields: Record<string, unknown> = {}
    for (const [name, read] of entries) {
      if (!Object.hasOwn(value, name)) continue
      const field = read(value[name])
      if (field !== undefined) fields[name] = field
    }
    return required.every((name) => name in fields) ? fields : undefined
  }
}

type ValuesOf<Of extends Readers> = {
  [Name in keyof Of]: Of[Name] extends ValueReader<infer Value> ? Value : never
}

/** An object that lacks a required field does not fit. Optional fields that do not fit are left out. */
export const objectOf = <Required extends Readers, Optional extends Readers = {}>(
  required: Required,
  optional?: Optional,
) =>
  recordOf({ ...required, ...optional }, ...Object.keys(required)) as ValueReader<
    ValuesOf<Required> & Partial<ValuesOf<Optional>>
  >

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value that is no object has no fields: anybody may write anything where strangers write. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})

/** Returns an empty object for any text but a JSON object: the answer may be a captive portal's. */
export const parseObject = (text: string): Fields => fieldsOf(parseJson(text))
