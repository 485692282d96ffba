'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { openDocument, type OpenDocument } from '@/lib/client.ts'
import { labStrings } from '@/lib/strings/lab.ts'
import { rememberedTransport } from '@/components/connection/remembered-transport.ts'
import { fetchProfile } from '@/components/profile/remembered-profile.ts'
import { ownPage } from '@/components/windows/own-page.ts'
import { findOrCreateScratchDocument } from './scratch-document.ts'
import type { LabContext } from './windows-under-test.ts'

export type LabContextState =
  | { readonly phase: 'idle' | 'opening' }
  | { readonly phase: 'failed'; readonly message: string }
  | { readonly phase: 'ready'; readonly context: LabContext }

type Cleanup = () => void

/** Opens the scratch document when the person starts, as one of their windows; closes it with the page. */
export function useLabContext(): { readonly state: LabContextState; readonly openWindows: () => void } {
  const [state, setState] = useState<LabContextState>({ phase: 'idle' })
  const cleanups = useRef<Cleanup[]>([])
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    const pendingCleanups = cleanups.current
    return () => {
      isUnmounted.current = true
      for (const run of pendingCleanups.splice(0)) run()
    }
  }, [])
  const openWindows = useCallback(() => {
    setState({ phase: 'opening' })
    openLabContext(cleanups.current, () => isUnmounted.current).then(
      (context) => isUnmounted.current || setState({ phase: 'ready', context }),
      (error: unknown) =>
        setState({ phase: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
  }, [])
  return { state, openWindows }
}

async function openLabContext(cleanups: Cleanup[], isUnmounted: () => boolean): Promise<LabContext> {
  const [document, me, { latencyOf }] = await Promise.all([
    findOrCreateScratchDocument(),
    fetchProfile(),
    import('@/lib/latency/latency.ts'),
  ])
  if (isUnmounted()) throw new Error('The page was left.')
  const opened = openDocument({
    url: location.origin,
    document,
    transport: rememberedTransport(),
    isolated: true,
  })
  const onLeave = () => opened.leave()
  addEventListener('pagehide', onLeave)
  cleanups.push(
    () => removeEventListener('pagehide', onLeave),
    () => void opened.close(),
  )
  await opened.whenSynced
  opened.awareness.setLocalStateField('user', { id: me.id, name: me.name })
  const latency = latencyOf(opened.handle)
  cleanups.push(latency.observe(), registerWindow(document, opened, me.id))
  return { document, opened, latency, registry: ownPage().registry }
}

function registerWindow(document: string, { desk }: OpenDocument, principal: string): Cleanup {
  const { registry } = ownPage()
  registry.updateOwn({ kind: 'documents', document, title: labStrings.keystrokes.scratchTitle })
  registry.joinBrowser(principal)
  const leaveDesk = desk ? registry.joinDesk(desk.awareness) : () => {}
  return () => {
    leaveDesk()
    registry.updateOwn({ kind: 'documents', document: null, title: '' })
  }
}
