//! The few JNI calls the agent makes. It does not know why they are made. Invariants: no Java exception is left pending,
//! and no reference is kept beyond the call it was given in but one, to the class that woven code calls.

use jni_sys::{
    JNI_OK, JNIEnv, JNINativeInterface__1_6, JavaVM, jclass, jfieldID, jint, jlong, jlongArray, jmethodID,
    jobject, jsize, jstring, jvalue,
};
use std::ffi::CStr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The class that woven code calls, by a reference that is kept: the boot loader never gives it up. Null before it is known.
static MAIN: AtomicPtr<std::ffi::c_void> = AtomicPtr::new(std::ptr::null_mut());

/// The class that gets reports of fields that native code sets, likewise.
static HANDS: AtomicPtr<std::ffi::c_void> = AtomicPtr::new(std::ptr::null_mut());

/// Its method that gets reports of elements; null before it is first called.
static ELEMENT: AtomicPtr<std::ffi::c_void> = AtomicPtr::new(std::ptr::null_mut());

/// The JNI environment of the current thread, for the length of one callback.
#[derive(Clone, Copy, Debug)]
pub struct Jni(*mut JNIEnv);

/// A reference the JVM gave, for the length of one callback.
#[derive(Clone, Copy, Debug)]
pub struct Given<T>(T);

impl<T> Given<T> {
    /// Wraps what a callback was given.
    ///
    /// # Safety
    /// `reference` is null or names an object of the type `T` stands for, in the current callback.
    pub unsafe fn new(reference: T) -> Self {
        Self(reference)
    }
}

impl Jni {
    /// Wraps what a callback was given.
    ///
    /// # Safety
    /// `env` is the JNI environment of the current thread, and the value is dropped before the callback returns.
    pub unsafe fn new(env: *mut JNIEnv) -> Option<Self> {
        (!env.is_null()).then_some(Self(env))
    }

    /// The JVM of this environment.
    pub fn vm(&self) -> Result<*mut JavaVM, String> {
        let mut vm = std::ptr::null_mut();
        // SAFETY: the function writes `vm`.
        let code = unsafe { (self.functions().GetJavaVM)(self.0, &raw mut vm) };
        if code == JNI_OK { Ok(vm) } else { Err(format!("the JVM refused GetJavaVM (error {code})")) }
    }

    fn functions(&self) -> &JNINativeInterface__1_6 {
        // SAFETY: by the contract of `new` the environment is valid; every JVM since Java 6 has the 1.6 functions.
        unsafe { &(**self.0).v1_6 }
    }

    /// Defines a class in the boot loader. `name` with slashes.
    pub fn define_boot_class(&self, name: &CStr, bytes: &[u8]) -> Result<Given<jclass>, String> {
        let length = jsize::try_from(bytes.len()).map_err(|_| "the class is too large".to_owned())?;
        let boot = std::ptr::null_mut();
        // SAFETY: name and bytes live through the call, which copies them; a null loader is the boot loader.
        let class = unsafe {
            (self.functions().DefineClass)(self.0, name.as_ptr(), boot, bytes.as_ptr().cast(), length)
        };
        self.result(class, || format!("the JVM refused to define {}", name.to_string_lossy()))
    }

    /// Finds a class the boot loader has. `name` with slashes.
    pub fn find_class(&self, name: &CStr) -> Result<Given<jclass>, String> {
        // SAFETY: the name lives through the call.
        let class = unsafe { (self.functions().FindClass)(self.0, name.as_ptr()) };
        self.result(class, || format!("the JVM does not find {}", name.to_string_lossy()))
    }

    fn result(&self, class: jclass, failure: impl FnOnce() -> String) -> Result<Given<jclass>, String> {
        if self.clear_exception() || class.is_null() { Err(failure()) } else { Ok(Given(class)) }
    }

    /// Calls a static method `()V`.
    pub fn call_static(&self, Given(class): Given<jclass>, method: &CStr) -> Result<(), String> {
        let failure = || format!("the recorder's method {} failed", method.to_string_lossy());
        // SAFETY: `class` is a reference of this callback; the strings live through the call.
        let id =
            unsafe { (self.functions().GetStaticMethodID)(self.0, class, method.as_ptr(), c"()V".as_ptr()) };
        if self.clear_exception() || id.is_null() {
            return Err(failure());
        }
        // SAFETY: `id` is a static method of `class` without arguments.
        unsafe { (self.functions().CallStaticVoidMethodA)(self.0, class, id, std::ptr::null()) };
        if self.clear_exception() { Err(failure()) } else { Ok(()) }
    }

    /// Keeps a reference to the class that woven code calls, for [`Self::is_main_found_by`].
    pub fn remember_main(&self, Given(class): Given<jclass>) {
        // SAFETY: `class` is a reference of this callback.
        let kept = unsafe { (self.functions().NewGlobalRef)(self.0, class) };
        MAIN.store(kept.cast(), Ordering::Release);
    }

    /// Keeps a reference to the class that gets reports of fields that native code sets, for [`Self::report_set`].
    pub fn remember_hands(&self, Given(class): Given<jclass>) {
        // SAFETY: `class` is a reference of this callback.
        let kept = unsafe { (self.functions().NewGlobalRef)(self.0, class) };
        HANDS.store(kept.cast(), Ordering::Release);
    }

    /// Whether a class loader finds the class that woven code calls. Runs code of the loader. True when that cannot be found out.
    pub fn is_main_found_by(&self, Given(loader): Given<jobject>) -> bool {
        let main: jclass = MAIN.load(Ordering::Acquire).cast();
        // SAFETY: the function may be called whatever is pending.
        let pending = unsafe { (self.functions().ExceptionCheck)(self.0) };
        if pending || main.is_null() {
            return true;
        }
        let (name, descriptor) = (c"isFoundBy", c"(Ljava/lang/ClassLoader;)Z");
        // SAFETY: `main` is a global reference of a class; the strings live through the call.
        let method =
            unsafe { (self.functions().GetStaticMethodID)(self.0, main, name.as_ptr(), descriptor.as_ptr()) };
        if self.clear_exception() || method.is_null() {
            return true;
        }
        let arguments = [jvalue { l: loader }];
        // SAFETY: `method` is a static method of the class that takes one object, and `loader` is one of this callback.
        let found =
            unsafe { (self.functions().CallStaticBooleanMethodA)(self.0, main, method, arguments.as_ptr()) };
        self.clear_exception() || found
    }

    /// Gives up a reference that a JVMTI function made for this callback.
    pub fn give_up(&self, reference: jobject) {
        // SAFETY: the reference is one of this callback and is used no more; the function may be called whatever is pending.
        unsafe { (self.functions().DeleteLocalRef)(self.0, reference) };
    }

    /// Whether an exception was pending, which is forgotten.
    fn clear_exception(&self) -> bool {
        // SAFETY: both functions may be called whatever is pending.
        unsafe {
            let pending = (self.functions().ExceptionCheck)(self.0);
            if pending {
                (self.functions().ExceptionClear)(self.0);
            }
            pending
        }
    }

    /// Calls the class that was kept for it for a field that native code set, if it wants to know of the object.
    ///
    /// # Safety
    /// `of` is an object, or a class if the field is static; the field is one of it.
    pub unsafe fn report_set(
        &self,
        Given(of): Given<jobject>,
        field: jfieldID,
        Given(value): Given<jobject>,
        is_static: bool,
    ) {
        // SAFETY: the function may be called whatever is pending.
        let pending = unsafe { (self.functions().ExceptionCheck)(self.0) };
        let hands: jclass = HANDS.load(Ordering::Acquire).cast();
        if pending || hands.is_null() {
            return;
        }
        let hands = Given(hands);
        let wants = [jvalue { l: of }, jvalue { z: is_static }];
        let (name, descriptor) = (c"isOfProgram", c"(Ljava/lang/Object;Z)Z");
        // SAFETY: the method takes an object and a boolean, and there is an object of this callback.
        let wanted = unsafe { self.call_boolean(hands, name, descriptor, &wants) };
        if wanted {
            // SAFETY: by the contract of this function, it is the object's field.
            unsafe { self.report_field(hands, of, field, value, is_static) };
        }
    }

    /// # Safety
    /// As of [`Self::report_set`].
    unsafe fn report_field(
        &self,
        hands: Given<jclass>,
        of: jobject,
        field: jfieldID,
        value: jobject,
        is_static: bool,
    ) {
        // SAFETY: `of` is an object of this callback.
        let class = if is_static { of } else { unsafe { (self.functions().GetObjectClass)(self.0, of) } };
        // SAFETY: by the contract of this function the field is one of the class.
        let reflected = unsafe { (self.functions().ToReflectedField)(self.0, class, field, is_static) };
        if !self.clear_exception() && !reflected.is_null() {
            let arguments = [jvalue { l: reflected }, jvalue { l: of }, jvalue { l: value }];
            let descriptor = c"(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Z";
            // SAFETY: the method takes three references, and these are of this callback.
            unsafe { self.call_boolean(hands, c"jniWrote", descriptor, &arguments) };
            self.give_up(reflected);
        }
        if !is_static {
            self.give_up(class);
        }
    }

    /// Reports to the Java half that an element of an array was accessed, unless an exception is pending. What that throws is dropped.
    ///
    /// # Safety
    /// `array` and `value` are objects or null.
    pub unsafe fn report_element(
        &self,
        Given(array): Given<jobject>,
        index: jint,
        Given(value): Given<jobject>,
        is_write: bool,
    ) {
        // SAFETY: the function may be called whatever is pending.
        let pending = unsafe { (self.functions().ExceptionCheck)(self.0) };
        let hands: jclass = HANDS.load(Ordering::Acquire).cast();
        if pending || hands.is_null() {
            return;
        }
        let mut method: jmethodID = ELEMENT.load(Ordering::Acquire).cast();
        if method.is_null() {
            let (name, descriptor) = (c"nativeElement", c"(Ljava/lang/Object;ILjava/lang/Object;Z)V");
            // SAFETY: `hands` is a global reference of a class; the strings live through the call.
            method = unsafe {
                (self.functions().GetStaticMethodID)(self.0, hands, name.as_ptr(), descriptor.as_ptr())
            };
            if self.clear_exception() {
                return;
            }
            ELEMENT.store(method.cast(), Ordering::Release);
        }
        let arguments =
            [jvalue { l: array }, jvalue { i: index }, jvalue { l: value }, jvalue { z: is_write }];
        // SAFETY: `method` is a static method of the class, which is never given up, and takes these arguments.
        unsafe { (self.functions().CallStaticVoidMethodA)(self.0, hands, method, arguments.as_ptr()) };
        self.clear_exception();
    }

    /// Calls a static method that gives a boolean; false when it cannot be called or throws.
    ///
    /// # Safety
    /// The arguments are those of the descriptor.
    unsafe fn call_boolean(
        &self,
        Given(class): Given<jclass>,
        name: &CStr,
        descriptor: &CStr,
        arguments: &[jvalue],
    ) -> bool {
        // SAFETY: `class` is a reference of this callback; the strings live through the call.
        let method = unsafe {
            (self.functions().GetStaticMethodID)(self.0, class, name.as_ptr(), descriptor.as_ptr())
        };
        if self.clear_exception() || method.is_null() {
            return false;
        }
        // SAFETY: `method` is a static method of the class; by the contract of this function it takes these arguments.
        let result =
            unsafe { (self.functions().CallStaticBooleanMethodA)(self.0, class, method, arguments.as_ptr()) };
        !self.clear_exception() && result
    }

    /// The JVM's number of a field, by its `java.lang.reflect.Field`; 0 when there is none.
    pub fn field(&self, Given(reflected): Given<jobject>) -> jlong {
        if reflected.is_null() {
            return 0;
        }
        // SAFETY: `reflected` is a `Field` of this callback.
        let id = unsafe { (self.functions().FromReflectedField)(self.0, reflected) };
        if self.clear_exception() { 0 } else { id as jlong }
    }

    /// What an instance field of an object refers to, by a reference of this callback.
    ///
    /// # Safety
    /// `field` is 0 or came from [`Jni::field`] for a reference field of a class that is loaded, and the object is of that class.
    pub unsafe fn get(&self, Given(object): Given<jobject>, field: jlong) -> jobject {
        let field = field as jfieldID;
        if object.is_null() || field.is_null() {
            return std::ptr::null_mut();
        }
        // SAFETY: by the contract of this function the field is one of the object's.
        unsafe { (self.functions().GetObjectField)(self.0, object, field) }
    }

    /// The value of an `int` field of an object.
    ///
    /// # Safety
    /// `field` is 0 or came from [`Jni::field`] for an `int` field of a class that is loaded, and the object is of that class.
    pub unsafe fn get_int(&self, Given(object): Given<jobject>, field: jlong) -> jint {
        let field = field as jfieldID;
        if object.is_null() || field.is_null() {
            return 0;
        }
        // SAFETY: by the contract of this function the field is one of the object's.
        unsafe { (self.functions().GetIntField)(self.0, object, field) }
    }

    /// Whether objects of `class` have the `equals` of `java.lang.Object`.
    pub fn has_identity_equals(&self, class: Given<jclass>) -> bool {
        let Ok(Given(object)) = self.find_class(c"java/lang/Object") else { return false };
        let own = self.equals_of(class.0);
        !own.is_null() && own == self.equals_of(object)
    }

    /// The JVM's number of the method that `equals` calls on objects of a class; null when it cannot be found out.
    fn equals_of(&self, class: jclass) -> jmethodID {
        let (name, descriptor) = (c"equals", c"(Ljava/lang/Object;)Z");
        // SAFETY: `class` is a reference of this callback; the strings live through the call.
        let id = unsafe { (self.functions().GetMethodID)(self.0, class, name.as_ptr(), descriptor.as_ptr()) };
        if self.clear_exception() { std::ptr::null_mut() } else { id }
    }

    /// Copies `array[from..to]`; nothing when the range is not in the array.
    pub fn words(&self, Given(array): Given<jlongArray>, from: jint, to: jint, room: Vec<u64>) -> Vec<u64> {
        let count = usize::try_from(to.saturating_sub(from)).unwrap_or(0);
        let mut words = room;
        words.clear();
        words.reserve(count);
        let target = words.spare_capacity_mut().as_mut_ptr().cast::<jlong>();
        // SAFETY: `words` has room for `to - from` values of the size of a `jlong`; the JVM checks the range.
        unsafe { (self.functions().GetLongArrayRegion)(self.0, array, from, count as jsize, target) };
        if !self.clear_exception() {
            // SAFETY: without an exception all `count` values were written.
            unsafe { words.set_len(count) };
        }
        words
    }

    /// A new array with a copy of these words; null when there is no memory for one.
    pub fn array(&self, words: &[u64]) -> jlongArray {
        let Ok(length) = jsize::try_from(words.len()) else { return std::ptr::null_mut() };
        // SAFETY: the function makes an array, or leaves an exception and gives null.
        let array = unsafe { (self.functions().NewLongArray)(self.0, length) };
        if self.clear_exception() || array.is_null() {
            return std::ptr::null_mut();
        }
        // SAFETY: `words` has `length` values of the size of a `jlong`, and so has the array.
        unsafe { (self.functions().SetLongArrayRegion)(self.0, array, 0, length, words.as_ptr().cast()) };
        if self.clear_exception() { std::ptr::null_mut() } else { array }
    }

    /// Copies a string; halves of surrogate pairs that stand alone become the replacement character.
    pub fn text(&self, Given(string): Given<jstring>) -> String {
        if string.is_null() {
            return String::new();
        }
        // SAFETY: `string` is a string reference of this callback.
        let length = unsafe { (self.functions().GetStringLength)(self.0, string) };
        let mut units = vec![0_u16; usize::try_from(length).unwrap_or(0)];
        // SAFETY: `units` has room for the whole string; the JVM checks the range.
        unsafe { (self.functions().GetStringRegion)(self.0, string, 0, length, units.as_mut_ptr()) };
        if self.clear_exception() { String::new() } else { String::from_utf16_lossy(&units) }
    }
}
