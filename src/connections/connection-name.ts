/** What a connection can be called, at most a hundred letters. */
export const CONNECTION_NAME = '^[A-Za-z0-9][A-Za-z0-9_. -]{0,98}[A-Za-z0-9]$|^[A-Za-z0-9]$'
