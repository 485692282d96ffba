import { cloneElement, type ReactElement } from 'react'

interface HintProps {
  readonly text: string
  readonly keys?: string
  /** The thing hinted at. It keeps its own accessible name: a hint is for the eye. */
  readonly children: ReactElement<HintedProps>
}

interface HintedProps {
  readonly 'data-hint'?: string
  readonly 'data-hint-keys'?: string | undefined
}

/** Shown by `HintLayer`, which reads it from the element. */
export const Hint = ({ text, keys, children }: HintProps) =>
  cloneElement(children, { 'data-hint': text, 'data-hint-keys': keys })
