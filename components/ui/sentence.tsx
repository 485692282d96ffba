import { createElement, Fragment, type ReactNode } from 'react'

/** A sentence of the catalogue (lib/strings) with elements in it: the entry says the order, so that a translation may have another. */
export const Sentence = ({ parts }: { parts: readonly ReactNode[] }) =>
  createElement(Fragment, null, ...parts)
