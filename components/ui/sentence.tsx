import { createElement, Fragment, type ReactNode } from 'react'

/** A sentence from lib/strings with elements in it. The entry decides the order, so that a translation may have another. */
export const Sentence = ({ parts }: { parts: readonly ReactNode[] }) =>
  createElement(Fragment, null, ...parts)
