"""runs.db: schema and migrations, writer, queries. The only importer of sqlite3 and sqlite-utils."""
