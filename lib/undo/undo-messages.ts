/** The messages that the windows of a browser send each other about their undo steps. */
import type { RedoneRange } from './struct-ranges.ts'
import type { UndoDirection } from './undo-stacks.ts'
import type { UndoStep, StepSummary } from './undo-step.ts'

/** A step was undone or redone: the message carries its opposite, which can be performed now. */
export interface StepMovedMessage {
  readonly type: 'moved'
  readonly direction: UndoDirection
  readonly step: UndoStep
  readonly redone: readonly RedoneRange[]
  readonly what: StepSummary
  /** The window that requested it. */
  readonly asked: string
}

export interface StepRequestMessage {
  readonly type: 'please'
  readonly id: string
  readonly direction: UndoDirection
  /** The requesting window. */
  readonly asked: string
}

/** Sent to each neighbour that joins. */
export interface KnownStepsMessage {
  readonly type: 'known'
  readonly by: string
  readonly done: readonly UndoStep[]
  readonly undone: readonly UndoStep[]
}

/** A step was made, or grew by what was typed without a pause. */
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
