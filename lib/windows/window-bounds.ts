/** On the screen, in CSS px: the position of the window, and the size of the page in it. */
import { isRecord } from '../protocol/value-reader.ts'
export interface WindowBounds {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** Returns undefined for what is none. */
export function readWindowBounds(value: unknown): WindowBounds | undefined {
  if (!isRecord(value)) return undefined
  const { left, top, width, height } = value
  if (!isNumber(left) || !isNumber(top) || !isNumber(width) || !isNumber(height)) return undefined
  return width > 0 && height > 0 ? { left, top, width, height } : undefined
}
