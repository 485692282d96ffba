'use client'

import { lazy, Suspense, useEffect } from 'react'
import { useBlocked } from './open'
import { useRegister } from './use-register'

const BlockedDialog = lazy(() => import('./blocked-dialog'))

/** Says that the browser did not let a window through. Should it come all the same, by a permission that cannot be seen, nothing is said. */
export function BlockedWindow() {
  const blocked = useBlocked((state) => state.blocked)
  const entries = useRegister()
  const came = blocked !== null && entries.some(({ self, place }) => !self && place === blocked.place)
  useEffect(() => {
    if (came) useBlocked.setState({ blocked: null })
  }, [came])
  if (!blocked || came) return null
  return (
    <Suspense>
      <BlockedDialog blocked={blocked} onClose={() => useBlocked.setState({ blocked: null })} />
    </Suspense>
  )
}
