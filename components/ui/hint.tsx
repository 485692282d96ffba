import { cloneElement, type ReactElement } from 'react'

interface HintProps {
  readonly text: string
  readonly keys?: string
  /** The element with the hint. It keeps its own accessible name, because a hint is only visual. */
  readonly children: ReactElement<HintedProps>
}

interface HintedProps {
  readonly 'data-hint'?: string
  readonly 'data-hint-keys'?: string | undefined
}

/** `HintLayer` reads the hint from the element and shows it. */
export const Hint = ({ text, keys, children }: HintProps) =>
  cloneElement(children, { 'data-hint': text, 'data-hint-keys': keys })
