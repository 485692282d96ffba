/** What the windows of a browser tell each other of their steps. */
import type { RedoneRange } from './struct-ranges.ts'
import type { UndoDirection } from './undo-stacks.ts'
import type { UndoStep, StepSummary } from './undo-step.ts'

/** Undone or done again: what is told is its opposite, which can be had now. */
export interface StepMovedMessage {
  readonly type: 'moved'
  readonly direction: UndoDirection
  readonly step: UndoStep
  readonly redone: readonly RedoneRange[]
  readonly what: StepSummary
  /** Who asked for it. */
  readonly asked: string
}

export interface StepRequestMessage {
  readonly type: 'please'
  readonly id: string
  readonly direction: UndoDirection
  /** Who asks. */
  readonly asked: string
}

/** To a neighbour that was met. */
export interface KnownStepsMessage {
  readonly type: 'known'
  readonly by: string
  readonly done: readonly UndoStep[]
  readonly undone: readonly UndoStep[]
}

/** Made, or grown by what was typed without a pause. */
export interface StepMadeMessage {
  readonly type: 'made' | 'grown'
  readonly step: UndoStep
}

export type UndoMessage =
  | StepMadeMessage
  | StepMovedMessage
  | KnownStepsMessage
  | StepRequestMessage
  | { readonly type: 'cannot'; readonly id: string }
