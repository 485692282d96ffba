'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { openDocument, type OpenDocument } from '@/lib/client.ts'
import { strings } from '@/lib/strings/lab.ts'
import { rememberedChoice } from '@/components/connection/choice'
import { askWho } from '@/components/documents/me'
import { ownPage } from '@/components/windows/own-page'
import { scratchDocument } from './scratch'
import type { Scene } from './subject'

export type SceneState =
  | { readonly phase: 'idle' | 'opening' }
  | { readonly phase: 'failed'; readonly message: string }
  | { readonly phase: 'ready'; readonly scene: Scene }

type Undo = () => void

/** Opens the scratch document once the person has begun, as one of their windows; closes it with the page. */
export function useScene(): { readonly state: SceneState; readonly begin: () => void } {
  const [state, setState] = useState<SceneState>({ phase: 'idle' })
  const undo = useRef<Undo[]>([])
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    const kept = undo.current
    return () => {
      isGone.current = true
      for (const run of kept.splice(0)) run()
    }
  }, [])
  const begin = useCallback(() => {
    setState({ phase: 'opening' })
    open(undo.current, () => isGone.current).then(
      (scene) => isGone.current || setState({ phase: 'ready', scene }),
      (error: unknown) =>
        setState({ phase: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
  }, [])
  return { state, begin }
}

async function open(undo: Undo[], isGone: () => boolean): Promise<Scene> {
  const [document, me, { latencyOf }] = await Promise.all([
    scratchDocument(),
    askWho(),
    import('@/lib/latency/latency.ts'),
  ])
  if (isGone()) throw new Error('The page was left.')
  const opened = openDocument({
    url: location.origin,
    document,
    transport: rememberedChoice(),
    isolated: true,
  })
  const onLeave = () => opened.leave()
  addEventListener('pagehide', onLeave)
  undo.push(
    () => removeEventListener('pagehide', onLeave),
    () => void opened.close(),
  )
  await opened.whenSynced
  opened.awareness.setLocalStateField('user', { id: me.id, name: me.name })
  const latency = latencyOf(opened.handle)
  undo.push(latency.observe(), register(document, opened, me.id))
  return { document, opened, latency, register: ownPage().registry }
}

function register(document: string, { desk }: OpenDocument, principal: string): Undo {
  const { registry: own } = ownPage()
  own.updateOwn({ kind: 'documents', document, title: strings.keystrokes.scratchTitle })
  own.joinBrowser(principal)
  const part = desk ? own.joinDesk(desk.awareness) : () => {}
  return () => {
    part()
    own.updateOwn({ kind: 'documents', document: null, title: '' })
  }
}
