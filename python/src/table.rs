//! Rows as an Arrow table, which polars, pandas and pyarrow take without a copy.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;
use warpseq::sign::collection::Collection;

/// A column of some rows.
pub struct Column {
    name: &'static str,
    values: ArrayRef,
}

impl Column {
    /// A column of that name.
    pub fn new(name: &'static str, values: ArrayRef) -> Self {
        Self { name, values }
    }
}

/// A column by its name.
pub fn column(name: &'static str, values: impl Array + 'static) -> Column {
    Column::new(name, Arc::new(values))
}

/// Rows of named columns. `polars.DataFrame(table)`, `pandas.DataFrame.from_arrow(table)` and `pyarrow.table(table)` take it.
#[pyclass(frozen, module = "warpseq")]
pub struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    /// The signatures that the rows are of, which need not be made again to be compared.
    pub collection: Option<Arc<Collection>>,
}

impl Table {
    /// A table of batches of rows. Columns are those of `none`, which has no rows.
    pub fn new(none: Vec<Column>, batches: Vec<Vec<Column>>) -> Result<Self, ArrowError> {
        let field = |Column { name, values }: &Column| Field::new(*name, values.data_type().clone(), true);
        let schema = Arc::new(Schema::new(none.iter().map(field).collect::<Vec<_>>()));
        let batch = |columns: Vec<Column>| {
            RecordBatch::try_new(schema.clone(), columns.into_iter().map(|column| column.values).collect())
        };
        let batches = batches.into_iter().map(batch).collect::<Result<_, _>>()?;
        Ok(Self { schema, batches, collection: None })
    }

    /// The same table, whose rows are the windows of a collection.
    pub fn of(self, collection: Arc<Collection>) -> Self {
        Self { collection: Some(collection), ..self }
    }
}

#[pymethods]
impl Table {
    /// How many rows there are.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<warpseq.Table of {} rows: {}>", self.num_rows(), self.column_names().join(", "))
    }

    /// The columns as an Arrow schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref()).map_err(arrow)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The rows as an Arrow stream; `requested_schema` is not looked at, as the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = RecordBatchIterator::new(self.batches.clone().into_iter().map(Ok), self.schema.clone());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }
}

/// An error of Arrow as an exception.
pub fn arrow(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
