/**
 * Fractional indexes: strings that sort what they belong to, and between any two of which there is room for another. A key is four digits
 * of base 62 as an integer, and digits of a fraction that never end in 0. Knows no Yjs.
 */
import { longestIncreasing } from '../../longest-increasing.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = DIGITS.length
const INTEGER_DIGITS = 4
const MAX_INTEGER = BASE ** INTEGER_DIGITS - 1
/** In the middle, so that there is room before and after. */
const FIRST_INTEGER = Math.floor(MAX_INTEGER / 2)
/** In UTF-16 units. A page writes keys of 6, and of some 30 after a hundred insertions at one place. */
const MAX_KEY = 500

const keyPattern = /^[\dA-Za-z]{4}(?:[\dA-Za-z]*[1-9A-Za-z])?$/

/** Anybody may have stored it. */
export const isOrderKey = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_KEY && keyPattern.test(value)

/** The key of the n-th of new things. The same in every window, so that two windows that number the same things agree. */
export const initialOrderKey = (index: number): string => formatInteger(FIRST_INTEGER + index)

/** By UTF-16 units, which is the order of the digits. */
export const compareKeys = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/**
 * A new key between two, of which the first is smaller; null stands for either end. Two random digits keep apart what two people insert at
 * the same place at once.
 */
function orderKeyBetween(before: string | null, after: string | null): string {
  if (before === null && after === null) return initialOrderKey(0) + randomFraction()
  const [low, high] = [
    before === null ? -1 : integerOf(before),
    after === null ? MAX_INTEGER + 1 : integerOf(after),
  ]
  const between = before === null ? high - 1 : low + 1
  if (between > low && between < high && between >= 0 && between <= MAX_INTEGER)
    return formatInteger(between) + randomFraction()
  if (before === null) return formatInteger(0) + fractionBetween('', fractionOf(after!)) + randomFraction()
  return (
    before.slice(0, INTEGER_DIGITS) +
    fractionBetween(fractionOf(before), low === high ? fractionOf(after!) : null) +
    randomFraction()
  )
}

/**
 * Keys for things in a wanted order, of which some have a key: as few as possible get a new one. Those without one (null), and those whose
 * key equals another, get one in any case.
 */
export function assignOrderKeys(present: readonly (string | null)[]): string[] {
  const kept = longestIncreasing(present)
  const keys: string[] = []
  let next = 0
  for (const [index, key] of present.entries()) {
    const isKept = index === kept[next]
    if (isKept) next += 1
    const after = kept[next]
    keys.push(
      isKept ? key! : orderKeyBetween(keys.at(-1) ?? null, after === undefined ? null : present[after]!),
    )
  }
  // Where thousands were put at one place, all are numbered anew.
  return keys.every(isOrderKey) ? keys : present.map((_key, index) => initialOrderKey(index))
}

const integerOf = (key: string): number =>
  Array.from(key.slice(0, INTEGER_DIGITS)).reduce((sum, digit) => sum * BASE + DIGITS.indexOf(digit), 0)

const fractionOf = (key: string): string => key.slice(INTEGER_DIGITS)

function formatInteger(value: number): string {
  let [digits, rest] = ['', value]
  for (let at = 0; at < INTEGER_DIGITS; at++) {
    digits = DIGITS[rest % BASE]! + digits
    rest = Math.floor(rest / BASE)
  }
  return digits
}

/** A fraction between two; null stands for 1. What is between keeps a 0 of its own at its end, where random digits follow. */
function fractionBetween(low: string, high: string | null): string {
  let digits = ''
  for (let at = 0; ; at++) {
    const from = at < low.length ? DIGITS.indexOf(low[at]!) : 0
    const isOpen = high === null || digits !== high.slice(0, at)
    const to = isOpen ? BASE : at < high.length ? DIGITS.indexOf(high[at]!) : 0
    if (to - from > 1) return digits + DIGITS[(from + to) >> 1]!
    digits += DIGITS[from]!
  }
}

const randomFraction = (): string => {
  const digit = (first: number): string => DIGITS[first + Math.floor(Math.random() * (BASE - first))]!
  return digit(0) + digit(1)
}
