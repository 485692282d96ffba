/** A result on its way: in the fragment of a link, which no server sees, and in this browser's storage. */
import { type LabResult, readResult } from './result.ts'

const NAME = 'result='
/** What fits in a link that a mail program leaves whole, with room. */
const MAX_CHARS = 64 * 1024
const KEY = 'diptych.lab.results'
const MAX_KEPT = 20

export function linkTo(result: LabResult, page: string): string {
  const bytes = new TextEncoder().encode(JSON.stringify(result))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const text = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `${page}#${NAME}${text}`
}

/** Undefined where the address carries none; null where what it carries cannot be read. */
export function resultIn(hash: string): LabResult | null | undefined {
  const text = hash.replace(/^#/, '')
  if (!text.startsWith(NAME)) return undefined
  if (text.length > MAX_CHARS) return null
  try {
    const binary = atob(text.slice(NAME.length).replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
    return readResult(JSON.parse(new TextDecoder().decode(bytes))) ?? null
  } catch {
    return null
  }
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/** Newest first. Anybody may have written there, and storage can be forbidden. */
export function keptResults(storage: () => Storage): readonly LabResult[] {
  try {
    const list: unknown = JSON.parse(storage().getItem(KEY) ?? '[]')
    return Array.isArray(list) ? list.map(readResult).filter((one) => one !== undefined) : []
  } catch {
    return []
  }
}

/** @returns Whether this browser took it. */
export function keepResults(results: readonly LabResult[], storage: () => Storage): boolean {
  try {
    storage().setItem(KEY, JSON.stringify(results.slice(0, MAX_KEPT)))
    return true
  } catch {
    return false
  }
}
