/** The windows that keystrokes are measured in: one is typed into, the others show it. */
import type { Page } from '@playwright/test'
import type { LaneName } from './lanes.ts'
import type { ServerProcess } from './server.ts'

/** When one keystroke passed each station on its way into one other window, in ms on the browser's clock (timeOrigin + now). */
export interface KeyTimes {
  /** The browser made the key event. */
  readonly key: number
  /** The document had the letter; for the relay: the page heard of the input. */
  readonly edited: number
  /** Right before its frame was handed to the transport. */
  readonly sent: number
  /** The other window's document had it; for the relay: its frame had arrived. */
  readonly applied: number
  /** The other window's editor had it in its DOM. */
  readonly rendered: number
  /** First task after the frame that showed it there. */
  readonly painted: number
  /** `whenSaved()` resolved; for the relay: its answer had come back. */
  readonly answered: number
}

export interface WindowGroup {
  readonly writer: Page
  readonly readers: readonly Page[]
  /**
   * The times of all keys typed so far, in their order, for each of the readers, once every one of them arrived everywhere.
   * @throws {Error} when a letter is missing, doubled or out of order.
   */
  collect(text: string): Promise<KeyTimes[][]>
  close(): Promise<void>
}

export interface WindowGroupOptions {
  readonly lane: LaneName
  readonly readers: number
  /** All of them are windows of one browser, not of one each. */
  readonly together?: boolean
  /** Ports of proxies in front of the server, in the writer's and in the readers' way. */
  readonly through?: { readonly writer: number; readonly readers: number } | undefined
}

/** The product, or the bare relay. */
export interface TypedProgram {
  /** The one that serves the lane: whether a WebSocket may go within HTTP/2 is a setting. */
  serverOf(lane: LaneName): ServerProcess
  /** Fresh windows, the writer's caret in the text. */
  open(options: WindowGroupOptions): Promise<WindowGroup>
}
