'use client'

import { useState } from 'react'
import { nameProblem, tidyName } from '@/lib/protocol/display-name.ts'

/** A name while it is typed. An empty field is no error yet. */
export function useNameDraft(initial: string) {
  const [text, setText] = useState(initial)
  const name = tidyName(text)
  const problem = nameProblem(name)
  return { text, setText, name, isValid: problem === null, problem: name === '' ? null : problem }
}
