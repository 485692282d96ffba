'use client'

import type { Command } from '@/components/commands/command-registry.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { useWorkspaces, type NamedWorkspace } from './use-workspaces.ts'
import { workspacesStrings } from '@/lib/strings/workspaces.ts'

/** Keyboard commands that apply a workspace. Draws nothing. */
export default function WorkspaceCommands() {
  const workspaces = useWorkspaces()
  const applyCommandOf = ({ name, workspace }: NamedWorkspace): Command => ({
    id: `workspace:${name}`,
    title: workspacesStrings.commands.apply(name),
    section: 'Windows',
    words: workspacesStrings.searchWords.apply,
    run: () => workspaces?.apply(workspace),
  })
  useCommands(workspaces?.all.map(applyCommandOf) ?? [])
  return null
}
