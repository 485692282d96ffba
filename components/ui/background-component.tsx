'use client'

import { useEffect, useState, type ComponentType } from 'react'

interface BackgroundComponentProps<Props> {
  /** Made by `loadInBackground`. */
  readonly load: () => Promise<{ readonly default: ComponentType<Props> }>
  readonly isWanted: boolean
  readonly props: Props
}

/** A component that nobody has asked for, so a failure to load it is not shown. It stays when it is no longer wanted. */
export function BackgroundComponent<Props extends object>({
  load,
  isWanted,
  props,
}: BackgroundComponentProps<Props>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>()
  useEffect(() => {
    if (isWanted) void load().then((loaded) => setLoaded(() => loaded.default))
  }, [load, isWanted])
  return Loaded && <Loaded {...props} />
}
