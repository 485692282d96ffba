'use client'

import { useMemo, useSyncExternalStore } from 'react'
import type * as Y from 'yjs'
import { capture, MAX_NAME, plan, readWorkspace, type Workspace } from '@/lib/windows/workspaces.ts'
import { useDock, type Dock } from '@/components/dock/dock'
import { openOwn } from './open'
import { rememberBounds } from './own-bounds'
import { ownPage } from './own-page'
import { hasMoreScreens, useScreens } from './screens'
import { strings } from '@/lib/strings/workspaces.ts'

export interface NamedWorkspace {
  readonly name: string
  readonly workspace: Workspace
  /** It was saved in this browser: its windows can stand where they stood. */
  readonly isHere: boolean
}

export interface Workspaces {
  readonly all: readonly NamedWorkspace[]
  /** Over one of the same name. */
  save(name: string): void
  /** In a click. */
  apply(workspace: Workspace): void
  /** Null, or why not. */
  rename(from: string, to: string): string | null
  /** Returns its undo. */
  remove(name: string): () => void
}

const nameIn = (typed: string): string => typed.trim().slice(0, MAX_NAME)

/** Null where there is no text to dock panels beside, and for who has no desk. */
export function useWorkspaces(): Workspaces | null {
  const dock = useDock()
  const stored = useMemo(() => dock?.document.opened.desk?.doc.getMap<unknown>('workspaces'), [dock])
  const store = useMemo(() => (stored ? listStore(stored) : emptyStore), [stored])
  const all = useSyncExternalStore(store.subscribe, store.get, store.get)
  if (!dock || !stored) return null
  return {
    all,
    save(name) {
      if (nameIn(name)) stored.set(nameIn(name), captureNow(dock))
    },
    apply: (workspace) => apply(workspace, dock),
    rename(from, to) {
      const name = nameIn(to)
      if (!name || name === from || !stored.has(from)) return null
      if (stored.has(name)) return strings.form.nameTaken(name)
      const value = stored.get(from)
      stored.doc?.transact(() => {
        stored.delete(from)
        stored.set(name, value)
      })
      return null
    },
    remove(name) {
      const value = stored.get(name)
      stored.delete(name)
      return () => void stored.set(name, value)
    },
  }
}

const none: readonly NamedWorkspace[] = []
const emptyStore = { subscribe: () => () => {}, get: () => none }

function listStore(stored: Y.Map<unknown>) {
  const read = (): readonly NamedWorkspace[] =>
    [...stored]
      .map(([name, value]) => {
        const workspace = readWorkspace(value)
        return { name, workspace, isHere: workspace.device.id === ownPage().register.own.device.id }
      })
      .toSorted((a, b) => a.name.localeCompare(b.name))
  let list = read()
  return {
    get: () => list,
    subscribe(listener: () => void) {
      const onChange = () => {
        list = read()
        listener()
      }
      stored.observe(onChange)
      // Since it was first read another device may have been heard of.
      list = read()
      return () => stored.unobserve(onChange)
    },
  }
}

function sceneOf({ document }: Dock) {
  const { register } = ownPage()
  return { entries: register.get(), document: document.id, device: register.own.device }
}

function captureNow(dock: Dock): Workspace {
  const { known } = useScreens.getState()
  return capture(sceneOf(dock), dock.layout, known.length || (hasMoreScreens() ? 2 : 1))
}

/** The click opens one window, more only where the browser was told to let them. The rest is offered, a button each, by the dock. */
function apply(workspace: Workspace, dock: Dock): void {
  const { register } = ownPage()
  const { layout, open, close, move } = plan(workspace, sceneOf(dock))
  for (const { panel, bounds } of open) if (bounds) rememberBounds(panel, bounds)
  for (const id of close) register.ask(id, { type: 'close' })
  for (const { id, bounds } of move) register.ask(id, { type: 'move', bounds })
  dock.change(() => layout)
  const [first, ...rest] = open
  if (first) dock.detach(first.panel)
  for (const { panel } of rest) openOwn({ document: dock.document.id, kind: panel }, false)
}
