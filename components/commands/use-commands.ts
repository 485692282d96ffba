'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Command, pageCommands } from './command-registry.ts'

/** Registers the commands of this component while it is on screen. The latest list counts, so it may be a new one at each rendering. */
export function useCommands(commands: readonly Command[]): void {
  const [source] = useState(() => ({}))
  useEffect(() => pageCommands.set(source, commands))
  useEffect(() => () => pageCommands.delete(source), [source])
}

/** All commands of this window, as a list. */
export const useCommandList = (): readonly Command[] =>
  useSyncExternalStore(pageCommands.subscribe, pageCommands.list, pageCommands.list)
