'use client'

import { useSyncExternalStore } from 'react'
import type { OwnWindowEntry } from '@/lib/windows/register.ts'
import { ownPage } from './own-page'

const none: readonly OwnWindowEntry[] = []
const subscribe = (listener: () => void) => ownPage().register.subscribe(listener)
const get = () => ownPage().register.get()

/** All windows of this person, this one first. */
export const useRegister = (): readonly OwnWindowEntry[] => useSyncExternalStore(subscribe, get, () => none)
