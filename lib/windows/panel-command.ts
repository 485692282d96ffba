/** What a person asked for outside of a panel and the panel has to do: in its own window, or in another one. */
import { isRecord } from '../protocol/value-reader.ts'
import type { LinePosition } from '../text/lines.ts'

export type PanelCommand =
  /** Find this text, '' for whatever is typed next, from the caret. */
  | { readonly panel: 'find'; readonly text: string; readonly caret?: LinePosition }
  /** Show this thread. */
  | { readonly panel: 'comments'; readonly thread: string }
  /** Ask for the name of a version to keep. */
  | { readonly panel: 'history'; readonly keep: true }
  /** Show this proposal. */
  | { readonly panel: 'proposals'; readonly proposal: string }

/** Longer than any id, and as long as any text that people search for. */
const MAX_COMMAND_TEXT = 1_000

/** Reads a command from another window as input. Returns undefined for one that this page does not know. */
export function readPanelCommand(value: unknown): PanelCommand | undefined {
  if (!isRecord(value)) return undefined
  const { panel, text, caret, thread, keep, proposal } = value
  if (panel === 'find' && isText(text)) return { panel, text, ...(isLinePosition(caret) && { caret }) }
  if (panel === 'comments' && isText(thread)) return { panel, thread }
  if (panel === 'proposals' && isText(proposal)) return { panel, proposal }
  if (panel === 'history' && keep === true) return { panel, keep }
  return undefined
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_COMMAND_TEXT

const isLinePosition = (value: unknown): value is LinePosition =>
  isRecord(value) && isIndex(value.line) && isIndex(value.offset)

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
