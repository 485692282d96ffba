'use client'

import { useEffect, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { schemaNames } from './extensions.ts'
import { unknownSchemaName, watchUnknownNames } from './schema-guard.ts'

/** The name of a node or mark in the text that this page does not know, once there is one. */
export function useUnknownSchemaName({ doc }: OpenDocument): string | null {
  const findUnknown = () => unknownSchemaName(doc.getXmlFragment('default'), schemaNames)
  const [unknown, setUnknown] = useState(findUnknown)
  useEffect(() => {
    const stop = watchUnknownNames(doc, schemaNames, setUnknown)
    setUnknown((before) => before ?? findUnknown()) // what arrived since the render
    return stop
    // oxlint-disable-next-line react/exhaustive-deps -- find reads nothing but doc
  }, [doc])
  return unknown
}
