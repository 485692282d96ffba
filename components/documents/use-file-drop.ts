'use client'

import { useEffect, useEffectEvent, useState } from 'react'

/** Takes files that are dropped anywhere on the page. Returns whether some are being dragged over it. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const takeFiles = useEffectEvent(onFiles)
  useEffect(() => {
    const stop = new AbortController()
    const listen = <Name extends 'dragover' | 'dragleave' | 'drop'>(
      name: Name,
      onEvent: (event: DragEvent) => void,
    ) => addEventListener(name, onEvent, { signal: stop.signal })
    listen('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    })
    listen('dragleave', ({ relatedTarget }) => {
      if (!relatedTarget) setOver(false)
    })
    listen('drop', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(false)
      takeFiles([...event.dataTransfer.files])
    })
    return () => stop.abort()
  }, [])
  return isOver
}
