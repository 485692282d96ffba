'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Command, pageCommands } from './command-registry.ts'

/** What this component can do, for as long as it is on screen. The latest list counts: it may be made anew at each rendering. */
export function useCommands(commands: readonly Command[]): void {
  const [source] = useState(() => ({}))
  useEffect(() => pageCommands.set(source, commands))
  useEffect(() => () => pageCommands.delete(source), [source])
}

/** All of them, for whoever lists them. */
export const useCommandList = (): readonly Command[] =>
  useSyncExternalStore(pageCommands.subscribe, pageCommands.list, pageCommands.list)
