'use client'

import { useEffect } from 'react'
import { Late } from '@/components/ui/late'
import { useBlocked } from './open'
import { useRegister } from './use-register'

const load = () => import('./blocked-dialog')

const forget = (): void => useBlocked.setState({ blocked: null })

/** Says that the browser did not let a window through. Should it come all the same, by a permission that cannot be seen, nothing is said. */
export function BlockedWindow() {
  const blocked = useBlocked((state) => state.blocked)
  const entries = useRegister()
  const came = blocked !== null && entries.some(({ self, place }) => !self && place === blocked.place)
  useEffect(() => {
    if (came) forget()
  }, [came])
  if (!blocked || came) return null
  return <Late load={load} props={{ blocked, onClose: forget }} onMissing={forget} />
}
