/** The part of the Web Locks API that is used here, so that one test process can hold several windows. */
export interface LocksLike {
  /** @param run Holds the lock until its promise settles. Receives null if `ifAvailable` is set and the lock was taken. */
  request<T>(
    name: string,
    options: LockRequest,
    run: (lock: { readonly name: string } | null) => Promise<T>,
  ): Promise<T>
}

export interface LockRequest {
  readonly ifAvailable?: boolean
  readonly signal?: AbortSignal
}
