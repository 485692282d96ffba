'use client'

import { useEffect, useRef, useState } from 'react'
import { fetchListAgain } from './document-queries.ts'
import { type ImportedEntry, sendImport } from './send-import.ts'

export type ImportState =
  /** One that is stopped had arrived when it was cancelled: some of its documents may be made. */
  | { readonly state: 'waiting' | 'reading' | 'cancelled' | 'stopped' }
  /** How much has arrived, from 0 to 1. */
  | { readonly state: 'sending'; readonly part: number }
  | { readonly state: 'done'; readonly document: ImportedEntry }
  | { readonly state: 'failed'; readonly message: string }

export type ImportRow = ImportState & { readonly key: number; readonly file: File }

/** Files on their way to become documents, one after the other. */
export function useImports() {
  const [rows, setRows] = useState<readonly ImportRow[]>([])
  const queue = useRef<ImportRow[]>([])
  const running = useRef<AbortController | null>(null)
  const nextKey = useRef(0)

  const change = (key: number, state: ImportState) =>
    setRows((all) => all.map((row) => (row.key === key ? { key, file: row.file, ...state } : row)))

  const importNext = async () => {
    const row = queue.current.shift()
    if (!row || running.current) return
    const abort = new AbortController()
    running.current = abort
    let hasArrived = false
    const onProgress = (part: number) => {
      hasArrived = part >= 1
      change(row.key, hasArrived ? { state: 'reading' } : { state: 'sending', part })
    }
    const next: ImportState = await sendImport(row.file, { onProgress, signal: abort.signal }).then(
      (document) => ({ state: 'done', document }),
      (error: Error) =>
        abort.signal.aborted
          ? { state: hasArrived ? 'stopped' : 'cancelled' }
          : { state: 'failed', message: error.message },
    )
    running.current = null
    change(row.key, next)
    if (next.state === 'done' || next.state === 'stopped') fetchListAgain()
    void importNext()
  }

  const add = (files: readonly File[]) => {
    const added = files.map((file): ImportRow => ({ key: nextKey.current++, file, state: 'waiting' }))
    queue.current.push(...added)
    setRows((all) => [...all, ...added])
    if (!running.current) void importNext()
  }

  /** Documents that are made stay. */
  const cancel = () => {
    for (const { key } of queue.current.splice(0)) change(key, { state: 'cancelled' })
    running.current?.abort()
  }

  useEffect(
    () => () => {
      queue.current = []
      running.current?.abort()
    },
    [],
  )
  return { rows, add, cancel }
}
