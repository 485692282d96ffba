/** What the windows of a browser tell each other of their steps. */
import type { Redone } from './ranges.ts'
import type { Direction } from './stacks.ts'
import type { Step, What } from './step.ts'

/** Undone or done again: what is told is its opposite, which can be had now. */
export interface Moved {
  readonly type: 'moved'
  readonly direction: Direction
  readonly step: Step
  readonly redone: readonly Redone[]
  readonly what: What
  /** Who asked for it. */
  readonly asked: string
}

export interface Please {
  readonly type: 'please'
  readonly id: string
  readonly direction: Direction
  /** Who asks. */
  readonly asked: string
}

/** To a neighbour that was met. */
export interface Known {
  readonly type: 'known'
  readonly by: string
  readonly done: readonly Step[]
  readonly undone: readonly Step[]
}

/** Made, or grown by what was typed without a pause. */
export interface Made {
  readonly type: 'made' | 'grown'
  readonly step: Step
}

export type Note = Made | Moved | Known | Please | { readonly type: 'cannot'; readonly id: string }
