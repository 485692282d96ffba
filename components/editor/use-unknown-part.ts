'use client'

import { useEffect, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { knownNames } from './extensions'
import { unknownPart, watchParts } from './known-parts'

/** The name of a part of the text that this page does not know, once there is one. */
export function useUnknownPart({ doc }: OpenDocument): string | null {
  const find = () => unknownPart(doc.getXmlFragment('default'), knownNames)
  const [unknown, setUnknown] = useState(find)
  useEffect(() => {
    const stop = watchParts(doc, knownNames, setUnknown)
    setUnknown((before) => before ?? find()) // what came since it was rendered
    return stop
    // oxlint-disable-next-line react/exhaustive-deps -- find reads nothing but doc
  }, [doc])
  return unknown
}
