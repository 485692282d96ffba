'use client'

import { useEffect } from 'react'
import { commandOf } from './keys.ts'
import { pageCommands } from './registry.ts'

/** Listens to the keys of all commands of this window. */
export function Commands() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = commandOf(event, pageCommands.list())
      if (!command) return
      event.preventDefault()
      command.run()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return null
}
