import { useEffect, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { JsonNode } from '@/lib/blocks/json-node.ts'
import { type Feature, featuresIn } from '@/lib/export/features.ts'
import type { JsonThread } from '@/lib/export/write-json.ts'
import { fetchJson } from '@/components/http-api.ts'

interface ExportedJson {
  readonly text: JsonNode
  readonly comments: readonly JsonThread[]
}

export interface ExportedFeatures {
  /** Null until it is known. */
  readonly found: ReadonlySet<Feature> | null
  readonly hasFailed: boolean
}

/** What a document has, as it stands when the dialog opens. */
export function useExportedFeatures(document: string, opened: OpenDocument | null): ExportedFeatures {
  const [features, setFeatures] = useState<ExportedFeatures>({ found: null, hasFailed: false })
  useEffect(() => {
    const closing = new AbortController()
    readDocument(document, opened, closing.signal).then(
      ({ text, comments }) => {
        if (!closing.signal.aborted) setFeatures({ found: featuresIn(text, comments), hasFailed: false })
      },
      () => {
        if (!closing.signal.aborted) setFeatures({ found: null, hasFailed: true })
      },
    )
    return () => closing.abort()
  }, [document, opened])
  return features
}

async function readDocument(
  document: string,
  opened: OpenDocument | null,
  signal: AbortSignal,
): Promise<ExportedJson> {
  if (!opened)
    return fetchJson<ExportedJson>(`/documents/${encodeURIComponent(document)}/export?format=json`, signal)
  const { readOpenDocument } = await import('./write-here.ts')
  return readOpenDocument({ document, opened, hasComments: true, language: '' })
}
