'use client'

import { useMemo, useSyncExternalStore } from 'react'
import type * as Y from 'yjs'
import {
  captureWorkspace,
  MAX_WORKSPACE_NAME,
  planWorkspace,
  readWorkspace,
  type Workspace,
} from '@/lib/windows/workspaces.ts'
import { useDock, type Dock } from '@/components/dock/dock.ts'
import { storeBounds } from '@/components/windows/own-window-bounds.ts'
import { ownPage } from '@/components/windows/own-page.ts'
import { hasMoreScreens, useScreens } from '@/components/windows/screens.ts'
import { workspacesStrings } from '@/lib/strings/workspaces.ts'

export interface NamedWorkspace {
  readonly name: string
  readonly workspace: Workspace
  /** True if it was saved in this browser: its windows can get their former bounds. */
  readonly isSameDevice: boolean
}

export interface WorkspaceStore {
  readonly all: readonly NamedWorkspace[]
  /** Replaces a workspace of the same name. */
  save(name: string): void
  /** Must be called during a click. */
  apply(workspace: Workspace): void
  /** Returns null, or why it failed. */
  rename(from: string, to: string): string | null
  /** Returns a function that restores it. */
  remove(name: string): () => void
}

const trimmedName = (typed: string): string => typed.trim().slice(0, MAX_WORKSPACE_NAME)

/** Null if there is no text to dock panels beside, or no desk. */
export function useWorkspaces(): WorkspaceStore | null {
  const dock = useDock()
  const storedWorkspaces = useMemo(
    () => dock?.document.opened.desk?.doc.getMap<unknown>('workspaces'),
    [dock],
  )
  const store = useMemo(
    () => (storedWorkspaces ? createListStore(storedWorkspaces) : emptyStore),
    [storedWorkspaces],
  )
  const all = useSyncExternalStore(store.subscribe, store.get, store.get)
  if (!dock || !storedWorkspaces) return null
  return {
    all,
    save(name) {
      if (trimmedName(name)) storedWorkspaces.set(trimmedName(name), captureCurrent(dock))
    },
    apply: (workspace) => apply(workspace, dock),
    rename(from, to) {
      const name = trimmedName(to)
      if (!name || name === from || !storedWorkspaces.has(from)) return null
      if (storedWorkspaces.has(name)) return workspacesStrings.form.nameTaken(name)
      const value = storedWorkspaces.get(from)
      storedWorkspaces.doc?.transact(() => {
        storedWorkspaces.delete(from)
        storedWorkspaces.set(name, value)
      })
      return null
    },
    remove(name) {
      const value = storedWorkspaces.get(name)
      storedWorkspaces.delete(name)
      return () => void storedWorkspaces.set(name, value)
    },
  }
}

const noWorkspaces: readonly NamedWorkspace[] = []
const emptyStore = { subscribe: () => () => {}, get: () => noWorkspaces }

function createListStore(storedWorkspaces: Y.Map<unknown>) {
  const read = (): readonly NamedWorkspace[] =>
    [...storedWorkspaces]
      .map(([name, value]) => {
        const workspace = readWorkspace(value)
        return { name, workspace, isSameDevice: workspace.device.id === ownPage().registry.own.device.id }
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
      storedWorkspaces.observe(onChange)
      // Another device's workspaces may have arrived since the first read.
      list = read()
      return () => storedWorkspaces.unobserve(onChange)
    },
  }
}

function workspaceContextOf({ document }: Dock) {
  const { registry } = ownPage()
  return { entries: registry.get(), document: document.id, device: registry.own.device }
}

function captureCurrent(dock: Dock): Workspace {
  const { screens } = useScreens.getState()
  return captureWorkspace(workspaceContextOf(dock), dock.layout, screens.length || (hasMoreScreens() ? 2 : 1))
}

/** The click opens one window, or more if the person allowed it in the browser. The dock offers the rest, with a button for each. */
function apply(workspace: Workspace, dock: Dock): void {
  const { registry } = ownPage()
  const { layout, open, close, move } = planWorkspace(workspace, workspaceContextOf(dock))
  for (const { panel, bounds } of open) if (bounds) storeBounds(panel, bounds)
  for (const id of close) registry.sendRequest(id, { type: 'close' })
  for (const { id, bounds } of move) registry.sendRequest(id, { type: 'move', bounds })
  dock.updateLayout(() => layout)
  dock.openWindowsOf(open.map(({ panel }) => panel))
}
