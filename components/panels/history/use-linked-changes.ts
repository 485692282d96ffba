import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { openPairChannel, type VersionPair } from './version-pair.ts'

/** Goes to the change that the window with the other version has gone to. Returns a function that tells it of one gone to here. */
export function useLinkedChanges(
  document: string,
  pair: VersionPair | undefined,
  list: RefObject<HTMLElement | null>,
): (row: number) => void {
  const channel = useRef<BroadcastChannel | null>(null)
  const [version, other] = [pair?.version, pair?.other]
  useEffect(() => {
    if (!version || !other) return
    const opened = openPairChannel(document, { version, other })
    opened.onmessage = ({ data }) => goToRow(list.current, Number(data))
    channel.current = opened
    return () => {
      channel.current = null
      opened.close()
    }
  }, [document, version, other, list])
  return useCallback((row) => channel.current?.postMessage(row), [])
}

/** What only the other text has stands behind the row before it. */
function goToRow(list: HTMLElement | null, wanted: number): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  rows.findLast(({ dataset }) => Number(dataset['row']) <= wanted)?.scrollIntoView({ block: 'center' })
}
