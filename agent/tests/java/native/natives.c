/* Sets fields of the program Natives through JNI. */
#include <jni.h>

JNIEXPORT void JNICALL Java_Natives_00024Part_setNumber(JNIEnv *env, jclass class, jobject part, jdouble to) {
    (*env)->SetDoubleField(env, part, (*env)->GetFieldID(env, class, "number", "D"), to);
}

JNIEXPORT void JNICALL Java_Natives_00024Part_setLeaf(JNIEnv *env, jclass class, jobject part, jobject to) {
    (*env)->SetObjectField(env, part, (*env)->GetFieldID(env, class, "leaf", "LNatives$Leaf;"), to);
}

JNIEXPORT void JNICALL Java_Natives_00024Part_setAll(JNIEnv *env, jclass class, jobject to) {
    (*env)->SetStaticObjectField(env, class, (*env)->GetStaticFieldID(env, class, "all", "Ljava/lang/Object;"), to);
}
